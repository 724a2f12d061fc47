"""Which sandbox this machine offers."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, TypeVar

from harness.errors import SandboxFailed, UserError
from harness.sandbox import seccomp
from harness.sandbox.bubblewrap import Bubblewrap
from harness.sandbox.contract import Limits, Program, Sandbox, lowered_of
from harness.sandbox.engine import VARIABLE, command_lines, engine
from harness.sandbox.system import system_files

if TYPE_CHECKING:
    from harness.sandbox.container import Container

_S = TypeVar("_S", bound=Sandbox)
BUBBLEWRAP, CONTAINER = "bubblewrap", "container"
KINDS = (BUBBLEWRAP, CONTAINER)
"""The isolations that one can ask for."""


def choose(unprotected: bool = False, kind: str = BUBBLEWRAP) -> Sandbox:
    """The isolation that was asked for, as it works here, or none where that was asked for.

    Raises `UserError` with the cure.
    """
    if kind not in KINDS:
        raise UserError(f"The sandbox should be {' or '.join(KINDS)}, not {kind!r}.")
    if unprotected and kind != BUBBLEWRAP:
        raise UserError(f"--unprotected means no sandbox at all: leave it out, or --sandbox {kind}.")
    if unprotected:
        if sys.platform == "win32":
            raise UserError(
                "Answers can't be run on Windows, not even unprotected: use Linux or WSL2; "
                "everything that only reads a release (show, status, prompts) works here."
            )
        from harness.sandbox.unprotected import Unprotected

        return Unprotected()
    if not sys.platform.startswith("linux"):
        raise UserError(
            "Running answers needs Linux namespaces, which this system does not have: use Linux, a Linux virtual "
            "machine or WSL2 (or, at your own risk, --unprotected); everything that only reads a release (show, "
            "status, prompts) works here."
        )
    return _container() if kind == CONTAINER else _bubblewrap()


@cache
def _bubblewrap() -> Bubblewrap:
    """bwrap as it works for this user, tried out once per process."""
    bwrap, prlimit, setpriv = (shutil.which(tool) for tool in ("bwrap", "prlimit", "setpriv"))
    if bwrap is None:
        raise UserError("Running answers needs bubblewrap, which is not here: install it (`apt install bubblewrap`).")
    if prlimit is None:
        raise UserError("Running answers needs prlimit, which is not here: install util-linux.")
    sandbox = Bubblewrap(bwrap, prlimit, setpriv or "", filtered=bool(seccomp.program()))
    tries = [replace(sandbox, drop_root=True), sandbox] if os.geteuid() == 0 and setpriv else [sandbox]
    if sandbox.filtered:
        tries += [replace(one, filtered=False) for one in tries]
    try:
        return _working(tries, prlimit)
    except SandboxFailed as error:
        low = lowered_of(Limits())
        if low:
            refusal = f"bubblewrap is here but can't run anything under this shell's limits ({error}): {low}."
            raise UserError(refusal) from None
        raise UserError(
            f"bubblewrap is here but can't isolate ({error}): allow unprivileged user namespaces "
            "(sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a "
            "container, run it with --security-opt seccomp=unconfined), try --sandbox container, or pass --unprotected "
            "at your own risk."
        ) from None


@cache
def _container() -> Container:
    """podman or docker as it works for this user, tried out once per process."""
    problems = []
    for command in command_lines():
        try:
            return _working_container(command)
        except SandboxFailed as error:
            problems.append(f"{shlex.join(command)}: {error}")
    raise UserError(
        f"The container needs podman or docker, and neither works here ({'; '.join(problems) or 'neither is there'}): "
        f"install one and start its service, name the command line that works in {VARIABLE}, or use bubblewrap."
    )


def _working_container(command: tuple[str, ...]) -> Container:
    """The sandbox of these command lines; raises `SandboxFailed` where it does not work."""
    from harness.sandbox.container import TOOLS, Container

    tools = tuple(path for path in map(shutil.which, TOOLS) if path)
    if len(tools) < len(TOOLS):
        raise SandboxFailed(f"it needs the tools {', '.join(TOOLS)}")
    found = engine(command)
    filtered = Container(found, tools, found.empty_image(system_files(TOOLS).links))
    plain = replace(filtered, filtered=False)
    return _working([filtered, plain] if seccomp.profile() else [plain], tools[-1])


def _working(candidates: Sequence[_S], prlimit: str) -> _S:
    """The first of the sandboxes that works here; raises `SandboxFailed` with what the last one says."""
    problem = ""
    for candidate in candidates:
        try:
            outcome = candidate.run(Program((prlimit, "--version")), Limits(wall_seconds=20))
        except SandboxFailed as error:
            problem = str(error)
            continue
        if outcome.code == 0:
            return candidate
        problem = outcome.stderr.decode("utf-8", "replace").strip()
    raise SandboxFailed(problem)
