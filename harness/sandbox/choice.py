"""Which sandbox this machine offers."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from functools import cache

from harness.errors import SandboxFailed, UserError
from harness.sandbox import seccomp
from harness.sandbox.bubblewrap import Bubblewrap
from harness.sandbox.contract import Limits, Program, Sandbox


def choose(unprotected: bool = False) -> Sandbox:
    """The isolation that works here; `unprotected` only where it was asked for. Raises `UserError` with the cure."""
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
    return _bubblewrap()


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
    problem = ""
    for candidate in tries:
        problem = _problem(candidate)
        if not problem:
            return candidate
    raise UserError(
        f"bubblewrap is here but can't isolate ({problem}): allow unprivileged user namespaces "
        "(sysctl kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0; in a container, "
        "run it with --security-opt seccomp=unconfined), or pass --unprotected at your own risk."
    )


def _problem(sandbox: Bubblewrap) -> str:
    """Why the sandbox does not work here, "" where it does."""
    try:
        outcome = sandbox.run(Program((sandbox.prlimit, "--version")), Limits(wall_seconds=20))
    except SandboxFailed as error:
        return str(error)
    return "" if outcome.code == 0 else outcome.stderr.decode("utf-8", "replace").strip()
