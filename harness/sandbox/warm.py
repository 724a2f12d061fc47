"""Warm processes: libraries are imported once, and each job runs in a fork with an isolation of its own.

A server never sees what its jobs are about: they come through pipes that only the fork reads.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
import struct
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from threading import Lock
from typing import IO, Any, Protocol, runtime_checkable

from harness.errors import SandboxFailed
from harness.sandbox import groups
from harness.sandbox.contract import Limits, Outcome, Program, bounds_of, how_it_ended
from harness.sandbox.processes import Usage, children, inside, spent, threads, together, tree_usage
from harness.sandbox.supervision import PIPE_BYTES, Supervision

_START, _ANSWER = 120.0, 30.0
"""Seconds for the start of a server with its imports, and for an answer about a job that was killed."""
_AGAIN = 0.05
"""Seconds after which what should have been killed is killed again."""
_CREDENTIALS = struct.Struct("=iii")


@dataclass(frozen=True)
class Job:
    """What a fork of a warm process does.

    `start` is its beginning in the words of the server's language, which the server takes as it is; `stdin`, `held`
    and `folder` are as those of a `Program`.
    """

    start: str
    stdin: bytes = b""
    held: bytes = b""
    folder: str = "/tmp"


class WarmServer:
    """A warm process inside a sandbox, from `Bubblewrap.warm`; one job at a time.

    `settings` go to it first. `user` gives the number of the user that a job becomes, where it must become one.
    """

    def __init__(
        self, process: subprocess.Popen[bytes], channel: socket.socket, settings: dict[str, Any],
        user: Callable[[], int] | None,
    ) -> None:
        self.process, self.channel, self.user = process, channel, user
        self.afresh = False
        """Whether the fork that waits for the next job may have been killed together with the last one."""
        self.group = groups.take()
        try:
            self.pid = self._started({**settings, "user": self._next_user()})
            if self.group:
                self.group.enter(tree_usage(self.pid).pids)
        except (OSError, SandboxFailed) as error:
            self.close()
            raise SandboxFailed(f"the warm process does not start: {error}") from None

    def _started(self, settings: dict[str, Any]) -> int:
        """Its process id here, from the kernel and not from what it says."""
        self.channel.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        self.channel.settimeout(_START)
        with suppress(OSError):
            # What is gone already says so when it is asked.
            self.channel.send(json.dumps(settings).encode())
        try:
            message, ancillary, _, _ = self.channel.recvmsg(64, socket.CMSG_SPACE(_CREDENTIALS.size))
        except TimeoutError:
            raise SandboxFailed("it has had all of its time") from None
        except ConnectionError:
            message, ancillary = b"", []
        if message != b"ready":
            raise SandboxFailed(self._last_words())
        pid = next(_CREDENTIALS.unpack(data)[0] for _, kind, data in ancillary if kind == socket.SCM_CREDENTIALS)
        if threads(pid) != 1:
            # Forks of what has several threads may hang, and can't have namespaces.
            raise SandboxFailed("it has several threads")
        return int(pid)

    def _last_words(self) -> str:
        self.process.kill()
        assert self.process.stderr
        lines = self.process.stderr.read().decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "no message"

    def _next_user(self) -> int:
        return self.user() if self.user else 0

    def run(self, job: Job, limits: Limits) -> Outcome:
        """Do a job in a fork; raises `SandboxFailed` where the server failed, which is then of no use."""
        if self.group:
            self.group.begin()
        running = _Running(self, {
            "start": job.start, "bounds": bounds_of(limits), "folder": job.folder, "next_user": self._next_user(),
            "afresh": self.afresh,
        })
        supervision = Supervision(running, limits, self.group)
        ending = supervision.run(job.stdin, job.held)
        self.afresh = running.killed
        code = 0
        if ending is None:
            ending, code = how_it_ended(os.waitstatus_to_exitcode(running.status))
        return supervision.outcome(ending, code)

    def close(self) -> None:
        """End the process."""
        with suppress(OSError):
            self.channel.close()
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        groups.give(self.group)
        self.group = None


class _Running:
    """A job of a server, supervised."""

    def __init__(self, server: WarmServer, job: dict[str, Any]) -> None:
        self.server = server
        self.status = 0
        self._spent: float | None = None
        self.killed = False
        pipes = [os.pipe() for _ in range(3)]
        with suppress(OSError):
            fcntl.fcntl(pipes[1][1], fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        theirs = [pipes[0][0], pipes[1][1], pipes[2][1]]
        ours = [pipes[0][1], pipes[1][0], pipes[2][0]]
        try:
            socket.send_fds(server.channel, [json.dumps(job).encode()], theirs)
        except OSError as error:
            for descriptor in ours:
                os.close(descriptor)
            raise SandboxFailed(f"the warm process is gone: {error}") from None
        finally:
            for descriptor in theirs:
                os.close(descriptor)
        self.stdin: IO[bytes] = os.fdopen(ours[0], "wb", 0)
        self.stdout: IO[bytes] = os.fdopen(ours[1], "rb", 0)
        self.stderr: IO[bytes] = os.fdopen(ours[2], "rb", 0)

    def ended(self, block: bool) -> float | None:
        """As `Supervised` says; raises `SandboxFailed` where the server has failed."""
        if self._spent is None:
            self._spent = self._answer(block)
        return self._spent

    def _answer(self, block: bool) -> float | None:
        channel = self.server.channel
        for _ in range(int(_ANSWER / _AGAIN) if block else 1):
            channel.settimeout(_AGAIN if block else 0)
            try:
                message = channel.recv(4096)
            except (TimeoutError, BlockingIOError):
                if block:
                    self.kill()
                continue
            except OSError as error:
                raise SandboxFailed(f"the warm process is gone: {error}") from None
            if not message:
                raise SandboxFailed("the warm process has ended")
            answer = json.loads(message)
            if "failed" in answer and not self.killed:
                raise SandboxFailed(f"the fork of the warm process failed: {answer['failed'] or 'no message'}")
            self.status = answer["status"]
            return float(answer["cpu"])
        if block:
            raise SandboxFailed("the warm process does not answer")
        return None

    def wait(self, seconds: float) -> None:
        """As `Supervised` says."""
        if self._spent is None:
            answers = select.poll()
            answers.register(self.server.channel, select.POLLIN)
            answers.poll(1000 * seconds)

    def usage(self) -> Usage:
        """As `Supervised` says: what lives below the first process of the job's own namespace, or has died there.

        The namespace of the next job, which is younger, may be there already, and alone when this one has ended.
        """
        firsts = children(self.server.pid)[:1]
        found = inside(together(tree_usage(pid) for first in firsts for pid in children(first)))
        if self.ended(block=False) is not None:
            return Usage(0.0, 0, ())
        return replace(found, cpu_seconds=found.cpu_seconds + sum(map(spent, firsts)))

    def kill(self) -> None:
        """As `Supervised` says: with the first process of their namespace all others end."""
        if self._spent is not None:
            return
        for pid in children(self.server.pid):
            self.killed = True
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


@runtime_checkable
class Warming(Protocol):
    """A sandbox that can keep a process warm."""

    def warm(self, program: Program, prepare: str) -> WarmServer:
        """A process that has done what `prepare` says, in its language; raises `SandboxFailed`."""
        ...


class Servers:
    """Warm processes of one kind, made when they are needed, each for one caller at a time.

    All are started by one thread that lives as long as they do: they end with the thread that has started them.
    """

    def __init__(self, start: Callable[[], WarmServer]) -> None:
        self._start = start
        self._lock = Lock()
        self._idle: list[WarmServer] = []
        self._starter = ThreadPoolExecutor(1, thread_name_prefix="warm")

    @contextmanager
    def one(self) -> Iterator[WarmServer]:
        """A server; one that has failed is not used again. Raises `SandboxFailed`."""
        with self._lock:
            server = self._idle.pop() if self._idle else None
        server = server or self._starter.submit(self._start).result()
        try:
            yield server
        except BaseException:
            server.close()
            raise
        with self._lock:
            self._idle.append(server)

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            for server in self._idle:
                server.close()
            self._idle.clear()
        self._starter.shutdown()
