"""Runs inside the sandbox: a warm process that has imported libraries, and runs each job in a fork of its own.

The fork is made before its job is there: it gives up everything that a job must not have, and waits. A job is a message
with three descriptors: the fork's standard input, output and error. What the job is about comes in through the first of
them, so nothing of it is ever in this process, from which all later jobs are forked.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import socket
import struct
import sys
from contextlib import suppress

import confine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

_STATUS = struct.Struct("=id")
"""The wait status of a job, and the CPU seconds of all of its processes that have ended."""
_MESSAGE = 1 << 20
_UNSEEN = 2
"""Calls of C that a job is inside of, of a class and of `exec`: they count for recursion, and no frame shows them."""


def main(control: int) -> None:
    """Serve what comes through a socket, until its other end is closed."""
    # A low number, whatever it was outside, so that it is among those that a fork closes.
    channel = socket.socket(fileno=os.dup(control))
    os.close(control)
    settings = json.loads(channel.recv(_MESSAGE))
    sys.setrecursionlimit(sys.getrecursionlimit() + _UNSEEN)
    prepared: dict[str, Any] = {"__name__": "job"}
    exec(settings["prepare"], prepared)
    gc.collect()
    gc.freeze()
    waiting = _Fork(settings, prepared)
    channel.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(channel, _MESSAGE, 3)
        if not message:
            os._exit(0)
        job = json.loads(message)
        if job["afresh"]:
            waiting.end()
            waiting = _Fork(settings, prepared)
        running = waiting
        running.begin(message, descriptors)
        # The next one gets ready meanwhile.
        settings["user"] = job["next_user"]
        waiting = _Fork(settings, prepared)
        channel.send(json.dumps(running.ended()).encode())
        running.reap()


class _Fork:
    """A fork in namespaces of its own that waits for its job."""

    def __init__(self, settings: dict[str, Any], prepared: dict[str, Any]) -> None:
        self.how = 0, 0.0
        self.told, write = os.pipe()
        self.channel, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.child = confine.born()
        if not self.child:
            os.close(self.told)
            self.channel.close()
            _first(settings, prepared, theirs.fileno(), write)
        os.close(write)
        theirs.close()

    def begin(self, message: bytes, descriptors: list[int]) -> None:
        """Hand over a job."""
        with self.channel, suppress(OSError):
            # If it is gone, how it ended says why.
            socket.send_fds(self.channel, [message], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def ended(self) -> dict[str, Any]:
        """Wait for the end of the job: its wait status, and the CPU seconds of all of its processes.

        Its namespaces may take a moment longer to end.
        """
        with os.fdopen(self.told, "rb", 0) as stream:
            said = stream.read(_MESSAGE)
        if len(said) == _STATUS.size:
            status, cpu = _STATUS.unpack(said)
            return {"status": status, "cpu": cpu}
        ended, cpu = self.reap()
        return {"status": ended, "cpu": cpu, "failed": said.decode("utf-8", "replace")}

    def reap(self) -> tuple[int, float]:
        """Wait for the end of all that belongs to it, if that was not done: its wait status, its CPU seconds."""
        if self.child:
            _, ended, usage = os.wait4(self.child, 0)
            self.child, self.how = 0, (ended, usage.ru_utime + usage.ru_stime)
        return self.how

    def end(self) -> None:
        """End it, whatever has become of it."""
        os.kill(self.child, signal.SIGKILL)
        self.reap()
        self.channel.close()
        os.close(self.told)


def _first(settings: dict[str, Any], prepared: dict[str, Any], channel: int, write: int) -> NoReturn:
    """The first process of the new namespaces: it makes the one that works, and waits; its end is the end of all."""
    try:
        confine.own_files(*settings["scratch"])
        child = os.fork()
        if not child:
            _work(settings, prepared, channel)
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.closerange(0, write)
        os.closerange(write + 1, 256)
        while True:
            ended, status = os.wait()
            if ended == child:
                used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
                os.write(write, _STATUS.pack(status, sum(one.ru_utime + one.ru_stime for one in used)))
                os._exit(0)
    except BaseException as error:
        os.write(write, f"{type(error).__name__}: {error}".encode("utf-8", "replace")[:1000])
    os._exit(1)


def _work(settings: dict[str, Any], prepared: dict[str, Any], channel: int) -> NoReturn:
    """Give up everything that a job must not have, wait for the job, then do it."""
    code = 1
    try:
        os.setsid()
        os.dup2(channel, 3)
        os.closerange(4, 256)
        _forget()
        confine.drop(settings["user"])
        confine.landlock()
        if settings["filter"]:
            confine.filter_calls(bytes.fromhex(settings["filter"]))
        with socket.socket(fileno=3) as mine:
            message, descriptors, _, _ = socket.recv_fds(mine, _MESSAGE, 3)
        if not message:
            os._exit(0)
        job = json.loads(message)
        for place, descriptor in enumerate(descriptors):
            os.dup2(descriptor, place)
        os.closerange(3, 256)
        os.makedirs(job["folder"], exist_ok=True)
        os.chdir(job["folder"])
        confine.limit(job["bounds"])
        code = 0
        exec(job["start"], prepared)
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:
        import traceback

        code = 1
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except BaseException:
                continue
        os._exit(code & 255)


def _forget() -> None:
    """Leave nothing of the server in a job's way; its numbers at random are its own, as those of any process."""
    for name in (__name__, "confine"):
        sys.modules.pop(name, None)
    # NumPy brings this part only when somebody asks for it.
    numbers = sys.modules.get("numpy.random")
    if numbers is not None:
        numbers.seed()
