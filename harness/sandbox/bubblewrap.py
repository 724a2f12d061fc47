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
from harness.sandbox import groups, seccomp
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
from harness.sandbox.groups import Group
from harness.sandbox.orphans import adopted
from harness.sandbox.processes import Usage, computed, inside
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
        with adopted(), groups.one() as group:
            running = self._start(program, limits, group)
            supervision = Supervision(running, limits, group)
            ending = supervision.run(program.stdin, program.held)
        return self._outcome(supervision, ending, running.code if ending is None else 0)

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
                    umask=0o022,
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
        return supervision.outcome(ending, code)

    def _start(self, program: Program, limits: Limits, group: Group | None) -> _Running:
        read, write = os.pipe()
        try:
            passed = [write, *([_filter()] if self.filtered else [])]
        except OSError as error:
            os.close(read)
            os.close(write)
            raise SandboxFailed(f"bwrap does not start: {error}") from None
        command = [self.bwrap, *self._namespaces(), "--json-status-fd", str(write)]
        command += [*(f for one in passed[1:] for f in ("--seccomp", str(one)))]
        command += [*_files(program), *_surroundings(program), "--", *self._limited(limits), *program.argv]
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen(
                command, stdin=pipe, stdout=pipe, stderr=pipe, pass_fds=passed, env={}, cwd="/", umask=0o022,
            )
        except OSError as error:
            os.close(read)
            raise SandboxFailed(f"bwrap does not start: {error}") from None
        finally:
            for descriptor in passed:
                os.close(descriptor)
        return _Running(process, read, program.folder, group)

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
    # What processes share by name lies in the folder that has a limit.
    options: list[str] = ["--perms", "0755", "--dir", "/dev", "--symlink", "/tmp", "/dev/shm"]
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


class _Running(ChildProcess):
    """bwrap, with what it says of the first process inside, which it does not wait for.

    `code` is the exit code, known when it has ended; None where the program never ran. Processes enter the group when
    they are seen: that takes as long as a short program does.
    """

    def __init__(self, process: subprocess.Popen[bytes], status: int, folder: str, group: Group | None) -> None:
        super().__init__(process, _OWN_PROCESSES)
        self.status, self.folders, self.group = status, {"/tmp", folder}, group
        self.entered: set[int] = set()
        self.code: int | None = None
        self.spent: float | None = None

    def ended(self, block: bool) -> float | None:
        """As `Supervised` says."""
        if super().ended(block) is not None and self.spent is None:
            self.spent = self._below_first()
        return self.spent

    def _below_first(self) -> float:
        """The CPU seconds of all below the first process inside, which has become our child, and ends."""
        with os.fdopen(self.status, "rb") as status:
            said = [json.loads(line) for line in status.read().splitlines()]
        self.code = next((int(one["exit-code"]) for one in said if "exit-code" in one), None)
        first = next((one["child-pid"] for one in said if "child-pid" in one), None)
        try:
            return _below(first) if first else 0.0
        except ChildProcessError:
            return 0.0

    def usage(self) -> Usage:
        """As `Supervised` says."""
        found = inside(super().usage(), self.folders)
        if self.group:
            self.group.enter(set(found.pids) - self.entered)
            self.entered.update(found.pids)
        return found


def _below(first: int) -> float:
    """The CPU seconds of what a child of ours has waited for, which are told apart from its own when it has ended."""
    os.waitid(os.P_PID, first, os.WEXITED | os.WNOWAIT)
    own = computed(first)
    usage = os.wait4(first, 0)[2]
    return max(0.0, usage.ru_utime + usage.ru_stime - own)
