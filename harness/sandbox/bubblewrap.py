"""Isolation by Linux namespaces, set up by bubblewrap (`bwrap`)."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from harness.errors import SandboxFailed
from harness.sandbox import seccomp
from harness.sandbox.contract import (
    SCRATCH_BYTES,
    SCRATCH_FILES,
    Ending,
    Limits,
    Outcome,
    Program,
    bounds_of,
    how_shells_say_it,
)
from harness.sandbox.supervision import ChildProcess, Supervision
from harness.sandbox.system import own_user, system_files
from harness.sandbox.warm import WarmServer

_TOOLS = ("prlimit", "setpriv")
_DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")
"""Not /dev/zero: what is mapped from it is memory that no limit counts."""
_OWN_PROCESSES = 2
"""bwrap itself and the reaper that it leaves as the first process inside."""
_OF_SERVERS = ("CAP_SYS_ADMIN", "CAP_SETPCAP")
"""What a process needs to give its forks namespaces and to take such powers from them."""


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
            supervision = Supervision(ChildProcess(process, _OWN_PROCESSES), limits)
            ending = supervision.run(program.stdin)
            code = _exit_code(status.read()) if ending is None else 0
        return self._outcome(supervision, ending, code)

    def warm(self, program: Program, prepare: str) -> WarmServer:
        """A process that has run the code `prepare` and runs jobs in forks, each in namespaces of its own.

        `program` starts `python_server` with a socket's number, which comes last in its arguments. Raises
        `SandboxFailed` where that does not work here. The process itself keeps the privileges that such forks need to
        begin with, and runs nothing untrusted.
        """
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [self.bwrap, *self._namespaces(serving=True), *_files(program), *_surroundings(program), "--"]
        with theirs:
            try:
                process = subprocess.Popen(
                    [*command, *program.argv, str(theirs.fileno())], stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, pass_fds=[theirs.fileno()], env={}, cwd="/",
                )
            except OSError as error:
                ours.close()
                raise SandboxFailed(f"bwrap does not start: {error}") from None
        settings = {
            "filter": seccomp.program().hex() if self.filtered else "", "prepare": prepare,
            "scratch": (SCRATCH_BYTES, SCRATCH_FILES, _below_tmp(_shown(program))),
        }
        return WarmServer(process, ours, settings, own_user if self.drop_root else None)

    def _outcome(self, supervision: Supervision, ending: Ending | None, code: int | None) -> Outcome:
        stderr = supervision.output("stderr")
        if code is None:
            last = stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no message"]
            raise SandboxFailed(f"bwrap did not run the program: {last[0]}")
        if ending is None:
            ending, code = how_shells_say_it(code)
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

    def _namespaces(self, serving: bool = False) -> list[str]:
        options = ["--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox", "--cap-drop", "ALL"]
        kept = _OF_SERVERS if serving else ()
        if not self.drop_root:
            kinds = ["--unshare-all", "--unshare-user", "--uid", "1000", "--gid", "1000"]
        else:
            kinds = [f"--unshare-{kind}" for kind in ("ipc", "pid", "net", "uts", "cgroup-try")]
            kept = ("CAP_SETUID", "CAP_SETGID", *kept)
        return [*kinds, *options, *(option for name in kept for option in ("--cap-add", name))]

    def _limited(self, limits: Limits) -> list[str]:
        """The start of a command line that limits the rest; the whole-second CPU limit is only a second net."""
        command = [self.prlimit, *(f"--{name.lower()}={value}" for name, value in bounds_of(limits).items()), "--"]
        if self.drop_root:
            user = own_user()
            identity = (f"--reuid={user}", f"--regid={user}", "--clear-groups")
            command += [self.setpriv, *identity, "--inh-caps=-all", "--no-new-privs", "--"]
        return command


def _filter() -> int:
    """A descriptor from which bwrap reads the filter of system calls."""
    read, write = os.pipe()
    with os.fdopen(write, "wb") as stream:
        stream.write(seccomp.program())
    return read


def _files(program: Program) -> list[str]:
    """What is to be seen of the host's files: system libraries, what the program names, and nothing else.

    What can be written comes first, so that it covers nothing of what is shown.
    """
    system, shown = system_files(_TOOLS), _shown(program)
    options: list[str] = []
    for folder in dict.fromkeys(["/tmp", *([program.folder] if not program.folder.startswith("/tmp/") else [])]):
        options += ["--perms", "1777", "--size", str(SCRATCH_BYTES), "--tmpfs", folder]
    for folder in dict.fromkeys(str(parent) for path in shown for parent in reversed(path.parents) if parent.name):
        options += ["--perms", "0755", "--dir", folder]
    for name, target in system.links.items():
        options += ["--symlink", target, name]
    for path in shown:
        options += ["--dev-bind" if str(path) in _DEVICES else "--ro-bind", str(path), str(path)]
    for path in dict.fromkeys([*program.hidden, *system.hidden]):
        options += ["--tmpfs", str(path), "--remount-ro", str(path)]
    return options


def _shown(program: Program) -> list[Path]:
    """The files and folders of the host that are to be seen, each before what lies in it."""
    devices = [Path(name) for name in _DEVICES if os.path.exists(name)]
    return sorted({*system_files(_TOOLS).shown, *devices, *program.readable})


def _below_tmp(shown: Iterable[Path]) -> list[str]:
    """The outermost of the paths that lie below /tmp; with each, all that is mounted inside it is shown again."""
    found: list[Path] = []
    for path in sorted(shown):
        if path.is_relative_to("/tmp") and not any(path.is_relative_to(one) for one in found):
            found.append(path)
    return [str(path) for path in found]


def _surroundings(program: Program) -> list[str]:
    """Working directory and environment; after them nothing outside /tmp and the working directory can be written."""
    folder = program.folder
    options = ["--perms", "0777", "--dir", folder] if folder.startswith("/tmp/") else []
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
