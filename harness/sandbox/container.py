"""Isolation by a container of podman or docker, where the user asks for it.

No image is pulled: the container is an empty file system into which files of the host are mounted, read-only.
"""

from __future__ import annotations

import json
import math
import os
import re
import resource
import select
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from harness.errors import SandboxFailed
from harness.sandbox import seccomp
from harness.sandbox.contract import SCRATCH_BYTES, Limits, Outcome, Program, bounds_of, how_shells_say_it
from harness.sandbox.engine import Engine, last_words
from harness.sandbox.processes import Usage, inside, tree_usage
from harness.sandbox.supervision import ChildProcess, Supervision
from harness.sandbox.system import own_user, system_files

LABEL = "code2bench"
"""What all of our containers are labelled with: `podman ps --filter label=code2bench` shows them."""

TOOLS = ("sh", "env", "prlimit")
_FIRST = 'exec 3>&2 2>/dev/null; echo; read -r go || exit; (exec "$@" 2>&3 3>&-); exit $?'
"""The first process inside: it says that it is there, waits for a word, runs the program, and waits for all that dies.

`--init` would need a program that not every podman has. What the shell itself says, of signals, goes nowhere.
"""
_OWN_PROCESSES, _SPARE_PROCESSES = 1, 8
_PATIENCE = 120.0
"""Seconds for the start of a container."""
_PROXIES = tuple(f"{kind}_proxy" for kind in ("http", "https", "ftp", "no", "all"))
"""Variables that an engine may pass on by itself, with passwords in them."""
_ALWAYS = (
    "--rm", "--interactive", "--pull=never", f"--label={LABEL}", "--log-driver=none", "--stop-timeout=0",
    "--network=none", "--ipc=none", "--hostname=sandbox", "--read-only", "--cap-drop=all",
    "--security-opt=no-new-privileges",
    "--device=/dev/full:/dev/zero:rw",  # gives zeros as well, but no mapping that holds memory without a process
    "--security-opt=label=disable",  # under SELinux the container could not read what is mounted
    *(f"--env={name}=" for lower in _PROXIES for name in (lower, lower.upper())),
)
_OF_PODMAN = ("--no-hosts", "--passwd=false", "--read-only-tmpfs=false")
"""Against files that podman makes unasked. Docker has no such options, nor a time after which it ends what we left."""
_EMPTY = {"podman": ",notmpcopyup", "docker": ""}
"""Podman copies what a folder held into the file system that is to hide it."""


@dataclass(frozen=True)
class Container:
    """A container per program, and limits on it and on each of its processes.

    `tools` are the paths of `TOOLS`, `image` is the empty file system. `filtered`: the filter of system calls is ours,
    and not the one that the engine has.
    """

    engine: Engine
    tools: tuple[str, ...]
    image: str
    name: str = "container"
    filtered: bool = True

    @property
    def isolation(self) -> str:
        """What protects the host, in words."""
        kind = self.engine.kind
        calls = "a filter of system calls" if self.filtered else f"{kind}'s own filter of system calls"
        return (
            f"a container of {kind}: processes, files and IPC of its own, no network, no capabilities; {calls}; "
            "private /tmp; no home; /dev, /proc and /sys as containers have them; "
            "limits on CPU, memory, processes, files and output"
        )

    def run(self, program: Program, limits: Limits) -> Outcome:
        """Run the program to its end; raises `SandboxFailed` where the engine failed."""
        if not Path(program.argv[0]).is_file():
            raise SandboxFailed(f"there is no {program.argv[0]} to run")
        with tempfile.TemporaryDirectory(prefix=f"{LABEL}-") as folder:
            running = self._start(program, limits, Path(folder))
            supervision = Supervision(running, limits)
            ending = supervision.run(program.stdin, program.held)
        code = 0
        if ending is None:
            if running.deserted or running.process.returncode < 0:
                raise SandboxFailed(f"{self.engine.kind} has ended before the container that it ran")
            ending, code = how_shells_say_it(running.process.returncode)
        return supervision.outcome(ending, code)

    def _start(self, program: Program, limits: Limits, folder: Path) -> _Running:
        """A container that is just about to run the program; what that has taken is not the program's time.

        `folder` is for what the engine reads, and for what it leaves in its working directory.
        """
        kind, name = self.engine.kind, f"{LABEL}-{os.getpid()}-{os.urandom(6).hex()}"
        options = [*_ALWAYS, *_bounds(limits), *_files(program, kind)]
        if kind == "podman":
            options += [*_OF_PODMAN, f"--timeout={math.ceil(limits.wall_seconds + _PATIENCE)}"]
        if self.filtered:
            (folder / "filter.json").write_text(json.dumps(seccomp.profile()))
            options.append(f"--security-opt=seccomp={folder / 'filter.json'}")
        command = ["run", f"--name={name}", *options, self.image, *self._inside(program, limits)]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                [*self.engine.command, *command], stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder,
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxFailed(f"{kind} does not start: {error}") from None
        running = _Running(process, self.engine, name)
        try:
            running.begin()
        except BaseException as error:
            running.discard()
            if isinstance(error, OSError | SandboxFailed):
                raise SandboxFailed(f"{kind} did not run the program: {error}") from None
            raise
        return running

    def _inside(self, program: Program, limits: Limits) -> list[str]:
        """The command inside; the engine's own limits are those of the whole container."""
        shell, env, prlimit = self.tools
        bounds = bounds_of(limits)
        bounds["NPROC"] += _OWN_PROCESSES
        limited = [prlimit, *(f"--{name.lower()}={value}" for name, value in bounds.items()), "--", *program.argv]
        return [shell, "-c", _FIRST, shell, env, "-i", *(f"{k}={v}" for k, v in program.environment.items()), *limited]


class _Running(ChildProcess):
    """A container, and the client that is connected with it.

    `pid` is the number that its first process has here; `deserted` says that it was still there without the client.
    """

    def __init__(self, process: subprocess.Popen[bytes], engine: Engine, name: str) -> None:
        super().__init__(process, _OWN_PROCESSES)
        self.engine, self.name = engine, name
        self.pid = 0
        self.deserted = False

    def begin(self) -> None:
        """Wait until it is there, and let it run the program; raises `SandboxFailed` or `OSError`."""
        if not _ready(self.stdout, _PATIENCE):
            raise SandboxFailed("it takes too long")
        if os.read(self.stdout.fileno(), 1) != b"\n":
            raise SandboxFailed(last_words(self.stderr.read()))
        while _ready(self.stderr) and os.read(self.stderr.fileno(), 1 << 16):
            pass  # Warnings of the client: the program has said nothing yet.
        self.pid = int(self.engine.ask("container", "inspect", "--format={{.State.Pid}}", self.name))
        if not _is_first(self.pid):
            raise SandboxFailed("its processes can't be seen from here")
        os.write(self.stdin.fileno(), b"\n")

    def ended(self, block: bool) -> float | None:
        """As `Supervised` says; what counts was seen before, since the client's own time is not the program's."""
        return None if super().ended(block) is None else 0.0

    def usage(self) -> Usage:
        """As `Supervised` says."""
        found = tree_usage(self.pid)
        return inside(replace(found, pids=found.pids[self.overhead :]))

    def kill(self) -> None:
        """As `Supervised` says; raises `SandboxFailed` where it can't be ended."""
        if _is_first(self.pid):
            self.deserted = self.process.poll() is not None
            self._remove()
        super().kill()
        if _is_first(self.pid):
            raise SandboxFailed(f"the container {self.name} does not end")

    def discard(self) -> None:
        """End what has not begun; the client goes first, so that it starts nothing afterwards."""
        self.process.kill()
        self.process.communicate()
        self._remove()

    def _remove(self) -> None:
        with suppress(SandboxFailed):
            self.engine.ask("rm", "--force", self.name)


def _bounds(limits: Limits) -> list[str]:
    """The limits on a whole container. They are wider than the program's, so that what is watched is reached first."""
    memory = f"{2 * limits.memory_bytes}b"
    ulimits = (("nofile", resource.RLIMIT_NOFILE, 1024), ("nproc", resource.RLIMIT_NPROC, 500))
    return [
        f"--memory={memory}", f"--memory-swap={memory}", f"--pids-limit={limits.processes + _SPARE_PROCESSES}",
        *(f"--ulimit={name}={most}:{most}" for name, kind, wanted in ulimits for most in [_at_most(kind, wanted)]),
    ]


def _at_most(kind: int, wanted: int) -> int:
    """The wanted limit, or ours where that is smaller."""
    hard = resource.getrlimit(kind)[1]
    return wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)


def _files(program: Program, kind: str) -> list[str]:
    """What is to be seen of the host's files, what can be written, and who the program is."""
    system, user = system_files(TOOLS), own_user()
    shown = dict.fromkeys([*system.shown, *program.readable])
    hidden = dict.fromkeys([*program.hidden, *system.hidden])
    return [
        *(f"--mount=type=bind,source={path},target={path},readonly" for path in shown),
        *(f"--tmpfs={path}:ro{_EMPTY[kind]}" for path in hidden),
        *(f"--tmpfs={path}:rw,size={SCRATCH_BYTES},mode=1777" for path in dict.fromkeys(["/tmp", program.folder])),
        f"--workdir={program.folder}", f"--user={user}:{user}",
    ]


def _ready(stream: IO[bytes], seconds: float = 0) -> bool:
    """Whether there is something to read, its end included."""
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    return bool(poll.poll(1000 * seconds))


def _is_first(pid: int) -> bool:
    """Whether this is, on this machine, the living first process of a namespace."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("latin-1")
    except OSError:
        return False
    return re.search(r"^NSpid:.*\t1$", status, re.MULTILINE) is not None and "\nState:\tZ" not in status
