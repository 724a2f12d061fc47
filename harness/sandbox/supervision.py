"""Feeding, reading, limiting and killing a process, whatever isolates it."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import IO, Protocol

from harness.errors import SandboxFailed
from harness.sandbox.contract import SCRATCH_BYTES, SCRATCH_FILES, Ending, Limits, Outcome
from harness.sandbox.groups import Group
from harness.sandbox.processes import Usage, held, tree_usage

_CHUNK = 1 << 16
PIPE_BYTES = 1 << 20
"""What a pipe holds, so that a program that writes line by line need not be waited upon line by line."""
_LOOK = 0.1
"""Seconds between two looks at the tree's CPU, memory and number of processes."""
_PAUSE = 0.002
"""Seconds between two looks at whether a program that has closed its outputs has ended."""
_LATE, _GATHERED = 1.2, 0.5
"""How many times its CPU seconds a line may take, and how many more for what was done before it without being told."""
_WALL = 12
"""How many times as many seconds by the wall clock."""
_GRACE = 0.3
"""Seconds for which output is still read after the program has ended, where something keeps its pipes open."""


class Supervised(Protocol):
    """What is supervised: the near ends of three pipes, and a tree of processes."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes]

    def ended(self, block: bool) -> float | None:
        """The CPU seconds of all of it where it has ended, noted once; None where it has not, unless `block`."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait so long, or until it may have ended."""
        ...

    def usage(self) -> Usage:
        """What the tree uses just now, what belongs to the sandbox itself left out."""
        ...

    def kill(self) -> None:
        """End all of it, whatever has become of it."""
        ...


class ChildProcess:
    """A process of ours with its pipes; `overhead` is the number of processes in its tree that are the sandbox's."""

    def __init__(self, process: subprocess.Popen[bytes], overhead: int = 0) -> None:
        assert process.stdin and process.stdout and process.stderr
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr
        self.process, self.overhead = process, overhead
        self._cpu_seconds = 0.0

    def ended(self, block: bool) -> float | None:
        """As `Supervised` says."""
        if self.process.returncode is None:
            pid, status, usage = os.wait4(self.process.pid, 0 if block else os.WNOHANG)
            if not pid:
                return None
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self._cpu_seconds = usage.ru_utime + usage.ru_stime
        return self._cpu_seconds

    def wait(self, seconds: float) -> None:
        """As `Supervised` says."""
        time.sleep(seconds)

    def usage(self) -> Usage:
        """As `Supervised` says."""
        found = tree_usage(self.process.pid)
        return replace(found, pids=found.pids[self.overhead :])

    def kill(self) -> None:
        """As `Supervised` says."""
        self.process.kill()


class Supervision:
    """One running tree of processes, its pipes and its limits."""

    def __init__(self, process: Supervised, limits: Limits, group: Group | None = None) -> None:
        self.process, self.limits, self.group = process, limits, group
        self.out: dict[str, list[bytes]] = {"stdout": [], "stderr": []}
        self.size = 0
        self.cpu_seconds = self.wall_seconds = 0.0
        self.started = time.monotonic()
        self.ended_at: float | None = None
        self.looked, self.next_look = self.started, self.started + _LOOK
        self.idle_seconds, self.busy = 0.0, 0.0
        self.lines, self.since = 0, (0, 0.0, self.started)
        self.readings: list[tuple[int, float]] = []
        self.arriving: Usage | None = None

    def run(self, stdin: bytes, held: bytes = b"") -> Ending | None:
        """Until the process has ended or was killed; gives the limit that was reached, or None.

        What is `held` goes to its standard input behind the rest, when it has written a line.
        """
        self.held = held
        try:
            with selectors.DefaultSelector() as selector:
                self._register(selector, stdin)
                return self._loop(selector)
        except OSError as error:
            raise SandboxFailed(f"a program can't be supervised: {error}") from None
        finally:
            self.process.kill()
            self._reap(block=True)
            self._close()

    def output(self, name: str) -> bytes:
        """What came out under that name, at most as much as the limit allows."""
        return b"".join(self.out[name])[: self.limits.output_bytes]

    def outcome(self, ending: Ending, code: int) -> Outcome:
        """What became of it all; the kernel kills what goes on after its CPU time, whoever else is slow to see it."""
        if (ending, code) == (Ending.SIGNALLED, signal.SIGKILL) and self.cpu_seconds >= self.limits.cpu_seconds:
            ending, code = Ending.CPU_LIMIT, 0
        stdout, stderr = self.output("stdout"), self.output("stderr")
        times = self.wall_seconds, self.cpu_seconds, self.idle_seconds
        return Outcome(ending, code, stdout, stderr, *times, tuple(self.readings))

    def _register(self, selector: selectors.BaseSelector, stdin: bytes) -> None:
        self.rest = memoryview(stdin)
        if stdin:
            os.set_blocking(self.process.stdin.fileno(), False)
            selector.register(self.process.stdin, selectors.EVENT_WRITE, "stdin")
        elif not self.held:
            self.process.stdin.close()
        selector.register(self.process.stdout, selectors.EVENT_READ, "stdout")
        selector.register(self.process.stderr, selectors.EVENT_READ, "stderr")

    def _loop(self, selector: selectors.BaseSelector) -> Ending | None:
        while not self._finished(selector):
            if selector.get_map():
                events = selector.select(_LOOK)
            else:
                events = []
                self.process.wait(_PAUSE)
            self._read_clock(events)
            for key, _ in events:
                self._write(selector, key) if key.data == "stdin" else self._read(selector, key)
            reached = self._limit_reached()
            if reached:
                return reached
        return None

    def _read_clock(self, events: Sequence[tuple[selectors.SelectorKey, int]]) -> None:
        """Note what was used for the lines that come in now, where they have taken a while: before they are read."""
        now = time.monotonic()
        if now - self.since[2] > 2 * _LOOK and any(key.data == "stdout" for key, _ in events):
            self.arriving = self.process.usage()

    def _finished(self, selector: selectors.BaseSelector) -> bool:
        """Whether it has ended and all of its output was read, or waited for long enough."""
        if not self._reap():
            return False
        now = time.monotonic()
        self.ended_at = self.ended_at or now
        reading = any(key.data != "stdin" for key in selector.get_map().values())
        return not reading or now - self.ended_at > _GRACE

    def _reap(self, block: bool = False) -> bool:
        """Whether it has ended; what its tree has used is noted."""
        spent = self.process.ended(block)
        if spent is None:
            return False
        if not self.wall_seconds:
            self.cpu_seconds = max(self.cpu_seconds, spent)
            self.wall_seconds = time.monotonic() - self.started
        return True

    def _write(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        try:
            self.rest = self.rest[os.write(key.fd, self.rest[:_CHUNK]) :]
        except BlockingIOError:
            return
        except OSError:
            self.rest = self.rest[:0]
        if not self.rest:
            selector.unregister(key.fileobj)
            if not self.held:
                with suppress(OSError):
                    self.process.stdin.close()

    def _read(self, selector: selectors.BaseSelector, key: selectors.SelectorKey) -> None:
        data = os.read(key.fd, _CHUNK)
        if not data:
            selector.unregister(key.fileobj)
        self.size += len(data)
        self.out[key.data].append(data)
        if key.data == "stdout":
            self.lines += data.count(b"\n")
            if self.arriving and self.lines != self.since[0] and len(data) < _CHUNK:
                self._note(self.arriving, time.monotonic())
                self.arriving = None
            if self.lines and self.held:
                self._release(selector)

    def _release(self, selector: selectors.BaseSelector) -> None:
        """Let go what was held; all that was told at once has been read, or never will be.

        What was used until then is noted: what waits for the rest can't have begun with it.
        """
        if self.lines != self.since[0]:
            self._note(self.process.usage(), time.monotonic())
        self.rest, self.held = memoryview(bytes(self.rest) + self.held), b""
        if self.process.stdin not in selector.get_map():
            os.set_blocking(self.process.stdin.fileno(), False)
            selector.register(self.process.stdin, selectors.EVENT_WRITE, "stdin")

    def _limit_reached(self) -> Ending | None:
        if self.limits.stop is not None and self.limits.stop.is_set():
            raise SandboxFailed("it was stopped")
        if self.size > self.limits.output_bytes:
            return Ending.OUTPUT_LIMIT
        now = time.monotonic()
        if now - self.started > self.limits.wall_seconds:
            return Ending.WALL_LIMIT
        if now < self.next_look:
            return None
        usage = self.process.usage()
        self.cpu_seconds = max(self.cpu_seconds, usage.cpu_seconds)
        self.idle_seconds += self._idle(usage, now)
        self.looked, self.next_look = now, now + _LOOK
        if usage.cpu_seconds > self.limits.cpu_seconds:
            return Ending.CPU_LIMIT
        if self.idle_seconds > self.limits.idle_seconds:
            return Ending.WALL_LIMIT
        if self._holds_too_much(usage):
            return Ending.MEMORY_LIMIT
        if len(usage.pids) > self.limits.processes:
            return Ending.PROCESS_LIMIT
        return self._line_is_late(usage, now)

    def _idle(self, usage: Usage, now: float) -> float:
        """The seconds since the last look in which nothing of it computed or waited for a processor.

        What looks late can't know for how long its subject has waited for it.
        """
        busy = usage.cpu_seconds + usage.delayed_seconds
        passed, done = min(now - self.looked, 2 * _LOOK), max(0.0, busy - self.busy)
        self.busy = busy
        return 0.0 if usage.runnable else max(0.0, passed - done)

    def _holds_too_much(self, usage: Usage) -> bool:
        """Whether the tree, and the kernel for it, hold more memory than they may, its files left out."""
        most = self.limits.memory_bytes - usage.socket_bytes
        # Forks share most of what they have, above all that of a warm process.
        if usage.memory_bytes > most and held(usage.pids) > most:
            return True
        if usage.files > SCRATCH_FILES:
            return True
        return self.group is not None and self.group.exceeds(self.limits.memory_bytes + SCRATCH_BYTES)

    def _line_is_late(self, usage: Usage, now: float) -> Ending | None:
        """Whether the next line has had its time, and some more, because what writes it may gather lines."""
        if self.lines != self.since[0]:
            self._note(usage, now)
        if not 0 < self.lines <= len(self.limits.line_seconds):
            return None
        most = _LATE * self.limits.line_grace * self.limits.line_seconds[self.lines - 1] + _GATHERED
        if usage.cpu_seconds - self.since[1] > most:
            return Ending.CPU_LIMIT
        return Ending.WALL_LIMIT if now - self.since[2] > _WALL * max(1.0, most) else None

    def _note(self, usage: Usage, now: float) -> None:
        """Note when there are so many lines, and what was used until then, which what has ended no longer tells."""
        if usage.pids:
            self.since = self.lines, usage.cpu_seconds, now
            self.readings.append((self.lines, usage.cpu_seconds))

    def _close(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with suppress(OSError):
                pipe.close()
