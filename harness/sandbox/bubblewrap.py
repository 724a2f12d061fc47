"""Isolation by Linux namespaces, set up by bubblewrap (`bwrap`)."""

from __future__ import annotations

import itertools
import json
import math
import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.errors import SandboxFailed
from harness.sandbox import seccomp
from harness.sandbox.contract import Ending, Limits, Outcome, Program
from harness.sandbox.supervision import Supervision

_LINKED = ("/bin", "/sbin", "/lib", "/lib32", "/lib64")
_LIBRARIES = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache")
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
_HIDDEN = ("/usr/lib/python3/dist-packages",)
_SCRATCH_BYTES = 64 * 1024**2
_OWN_PROCESSES = 2
"""bwrap itself and the reaper that it leaves as the first process inside."""
_runs = itertools.count()


@dataclass(frozen=True)
class Bubblewrap:
    """A new user, pid, mount, network, ipc and uts namespace per program, and limits on each of its processes.

    `drop_root`: the caller is the real root, so the program becomes a user of its own without a user namespace, since
    the kernel never limits the number of root's processes. `filtered`: system calls that no answer needs are refused.
    """

    bwrap: str
    prlimit: str
    setpriv: str = ""
    drop_root: bool = False
    name: str = "bubblewrap"
    filtered: bool = True

    @property
    def isolation(self) -> str:
        """What protects the host, in words."""
        calls = "a filter of system calls; " if self.filtered else ""
        return (
            f"namespaces for users, processes, files, network and IPC; {calls}private /tmp; no home, no /proc; "
            "limits on CPU, memory, processes, files and output"
        )

    def run(self, program: Program, limits: Limits) -> Outcome:
        """Run the program to its end; raises `SandboxFailed` where bwrap could not start it."""
        if not Path(program.argv[0]).is_file():
            raise SandboxFailed(f"there is no {program.argv[0]} to run")
        read, write = os.pipe()
        try:
            process = self._start(program, limits, write)
        except OSError as error:
            os.close(read)
            raise SandboxFailed(f"bwrap does not start: {error}") from None
        finally:
            os.close(write)
        with os.fdopen(read, "rb") as status:
            supervision = Supervision(process, limits, process.kill, _OWN_PROCESSES)
            ending = supervision.run(program.stdin)
            code = _exit_code(status.read()) if ending is None else 0
        return self._outcome(supervision, ending, code)

    def _outcome(self, supervision: Supervision, ending: Ending | None, code: int | None) -> Outcome:
        stderr = supervision.output("stderr")
        if code is None:
            last = stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
            raise SandboxFailed(f"bwrap did not run the program: {last[0]}")
        if ending is None:
            ending, code = _how(code)
        stdout, wall, cpu = supervision.output("stdout"), supervision.wall_seconds, supervision.cpu_seconds
        return Outcome(ending, code, stdout, stderr, wall, cpu)

    def _start(self, program: Program, limits: Limits, status: int) -> subprocess.Popen[bytes]:
        command = [self.bwrap, *self._namespaces(), "--json-status-fd", str(status)]
        passed = [status, *([_filter()] if self.filtered else [])]
        try:
            command += [option for filter_ in passed[1:] for option in ("--seccomp", str(filter_))]
            command += [*_files(program), *_surroundings(program), "--", *self._limited(limits), *program.argv]
            pipe = subprocess.PIPE
            return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=passed, env={}, cwd="/")
        finally:
            for descriptor in passed[1:]:
                os.close(descriptor)

    def _namespaces(self) -> list[str]:
        options = ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox", "--cap-drop", "ALL"]
        if not self.drop_root:
            return ["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000", *options]
        kinds = [f"--unshare-{kind}" for kind in ("ipc", "pid", "net", "uts", "cgroup-try")]
        return [*kinds, *options, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]

    def _limited(self, limits: Limits) -> list[str]:
        """The start of a command line that limits the rest; the whole-second CPU limit is only a second net."""
        bounds = {
            "nproc": limits.processes, "as": limits.memory_bytes, "fsize": limits.output_bytes, "nofile": 256,
            "core": 0, "cpu": math.ceil(limits.cpu_seconds) + 1,
        }
        command = [self.prlimit, *(f"--{name}={value}" for name, value in bounds.items()), "--"]
        if self.drop_root:
            user = _own_user()
            identity = (f"--reuid={user}", f"--regid={user}", "--clear-groups")
            command += [self.setpriv, *identity, "--inh-caps=-all", "--no-new-privs", "--"]
        return command


def _filter() -> int:
    """A descriptor from which bwrap reads the filter of system calls."""
    read, write = os.pipe()
    with os.fdopen(write, "wb") as stream:
        stream.write(seccomp.program())
    return read


def _own_user() -> int:
    """A user id for one run: processes are counted per user, so runs side by side must not share one."""
    return 20_000 + (os.getpid() * 131 + next(_runs)) % 40_000


def _files(program: Program) -> list[str]:
    """What is to be seen of the host's files: system libraries, what the program names, and nothing else."""
    options = ["--perms", "1777", "--size", str(_SCRATCH_BYTES), "--tmpfs", "/tmp"]
    links, system = _system()
    shown = dict.fromkeys([*system, *program.readable])
    for folder in dict.fromkeys(parent for path in shown for parent in reversed(path.parents) if parent.name):
        options += ["--perms", "0755", "--dir", str(folder)]
    for name in links:
        options += ["--symlink", os.readlink(name), name]
    for path in shown:
        options += ["--dev-bind" if str(path) in _DEVICES else "--ro-bind", str(path), str(path)]
    for path in dict.fromkeys([*program.hidden, *(Path(name) for name in _HIDDEN if Path(name).is_dir())]):
        options += ["--tmpfs", str(path), "--remount-ro", str(path)]
    return options


@cache
def _system() -> tuple[tuple[str, ...], tuple[Path, ...]]:
    """The system's part: symbolic links to make again, and paths to show."""
    links = tuple(name for name in _LINKED if os.path.islink(name))
    tools = tuple(found for found in map(shutil.which, ("prlimit", "setpriv")) if found)
    folders = tuple(name for name in _LINKED if name not in links and not name.endswith("bin"))
    names = (*folders, *_LIBRARIES, *_DEVICES, *tools)
    return links, tuple(Path(name) for name in names if os.path.exists(name))


def _surroundings(program: Program) -> list[str]:
    """Working directory and environment; after them nothing outside /tmp and the working directory can be written."""
    folder = program.folder
    options: list[str] = []
    if folder.startswith("/tmp/"):
        options += ["--perms", "0777", "--dir", folder]
    elif folder != "/tmp":
        options += ["--perms", "1777", "--size", str(_SCRATCH_BYTES), "--tmpfs", folder]
    for key, value in program.environment.items():
        options += ["--setenv", key, value]
    return [*options, "--remount-ro", "/", "--chdir", folder]


def _exit_code(status: bytes) -> int | None:
    """The exit code in what bwrap reports, one JSON document per line; None where the program never ran."""
    for line in status.splitlines():
        code = json.loads(line).get("exit-code")
        if code is not None:
            return int(code)
    return None


def _how(code: int) -> tuple[Ending, int]:
    """The ending behind an exit code; bwrap gives a signal as 128 and its number, as shells do."""
    if code - 128 not in {int(s) for s in signal.Signals}:
        return Ending.EXITED, code
    if code - 128 == signal.SIGXCPU:
        return Ending.CPU_LIMIT, 0
    return Ending.SIGNALLED, code - 128
