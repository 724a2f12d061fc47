"""Runs inside the sandbox: the time of loading and of each call."""

from __future__ import annotations

import _signal as signal
import math
import os
import resource
import time
from _functools import partial

from .loading import NEEDED
from .reports import line_of, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import TypeAlias

    from .reports import Gathered, Report

    Leaving: TypeAlias = Callable[[FrameType | None, tuple[type, ...]], None]

_WALL_FACTOR, _WALL_FLOOR = 10, 10
_TICK = 0.05
"""Seconds between two looks at how long a call takes, once its time may be over."""
_EARLY = 0.75
"""The part of a call's time before which no timer strikes: where a program traces its calls, it sees the handler's."""
_IDLE, _IDLE_TICK, _IDLE_SHARE = 5.0, 0.23, 0.02
"""Seconds that a statement may do nothing while the program is loaded, how often to look, what counts as nothing."""
_LOAD_TICK = 1.03
_NO_TIME, _READ = 0.001, 0.02
"""Seconds of a call that are none, and for how many the clocks are not read then."""


class Timer:
    """Ends the process when a call takes too long: at its CPU limit, or when it sleeps for many times that.

    The handler, which looks at the clocks, runs between bytecodes and can't be swallowed; the limit on the process,
    moved along with each call, ends what never comes back to the interpreter. Timers are set anew only where they would
    strike too late or much too early for a call, which is once in many calls. With `grace`, one call may go on for
    so many times its time; what it has taken is told, and its process lives on. Unless it is to be `exact`, a call that
    takes next to no time takes none, since to read the clocks would take as long; what it took is laid to the next one.
    """

    def __init__(self, report: Report | Gathered, grace: float = 1.0, exact: bool = True) -> None:
        self.report = report
        self.exact = exact
        self.read = 0.0
        self.grace = grace
        self.leave: Leaving | None = None
        self.idle = self.looked = 0.0
        self.blocks = 0
        self.process = self.thread = self.began = 0.0
        self.due = self.due_by_wall = 0.0
        self.seconds = self.wall = math.inf
        self.soft = -1
        self.hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        signal.signal(signal.SIGPROF, self.look)
        signal.signal(signal.SIGALRM, self.look)
        self.forked = False
        os.register_at_fork(after_in_child=partial(setattr, self, "forked", True))

    def start(self, seconds: float) -> None:
        """Begin the time of a call, which is where that of the one before it has ended."""
        wall = _WALL_FACTOR * seconds
        wall = wall if wall > _WALL_FLOOR else _WALL_FLOOR
        self.seconds, self.wall = seconds, wall
        if not _EARLY * seconds <= self.due - self.process <= seconds:
            self._set_cpu(seconds)
        if not _EARLY * wall <= self.due_by_wall - self.began <= wall:
            self._set_wall(wall)
        soft = int(self.process + self.grace * seconds) + 2
        soft = soft if self.hard == resource.RLIM_INFINITY else min(soft, self.hard)
        if soft != self.soft:
            resource.setrlimit(resource.RLIMIT_CPU, (soft, self.hard))
            self.soft = soft

    def load(self, most: float, leave: Leaving) -> None:
        """Begin the time of loading, or of what is left of it, of all of which there are so many CPU seconds.

        After half of what is left, or when nothing happens, `leave` is asked to go on.
        """
        self.looked, self.began = time.process_time(), time.monotonic()
        self.leave, self.seconds = leave, (self.looked + most) / 2
        signal.setitimer(signal.ITIMER_PROF, max(_TICK, self.seconds - self.looked), _LOAD_TICK)
        signal.setitimer(signal.ITIMER_REAL, 1.0, _IDLE_TICK)

    def _look_at_loading(self, frame: FrameType | None) -> None:
        """Go on behind a statement that takes too long; where it can't be left, it takes what there is."""
        process, now = time.process_time(), time.monotonic()
        # What is read from a disk for the first time may take long where others keep it busy.
        blocks = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
        idle = blocks == self.blocks and process - self.looked < _IDLE_SHARE * (now - self.began)
        self.idle = self.idle + now - self.began if idle else 0.0
        self.looked, self.began, self.blocks = process, now, blocks
        leave = self.leave
        if leave is not None and self.idle >= _IDLE:
            self.idle = 0.0
            leave(frame, ())
        elif leave is not None and process >= self.seconds:
            leave(frame, NEEDED)

    def _set_cpu(self, left: float) -> None:
        """Let the timer of CPU time strike when that of the call is over, and again and again.

        Where the program handles its signal by now, the timer is the program's as well.
        """
        self.due = self.process + self.seconds
        if signal.getsignal(signal.SIGPROF) == self.look:
            signal.setitimer(signal.ITIMER_PROF, left, _TICK)

    def _set_wall(self, left: float) -> None:
        """The same by the wall clock."""
        self.due_by_wall = self.began + self.wall
        if signal.getsignal(signal.SIGALRM) == self.look:
            signal.setitimer(signal.ITIMER_REAL, left, _TICK)

    def stop(self) -> float:
        """End the time of a call; gives the CPU seconds that it took."""
        if self.forked:
            # A fork of the program's own that ends by an exception, as that of `sys.exit`, has nothing to report.
            os._exit(0)
        now = time.monotonic()
        if now - self.began < _NO_TIME and now - self.read < _READ and not self.exact:
            self.seconds, self.began = math.inf, now
            return 0.0
        process, thread = time.process_time(), time.thread_time()
        spent = _longer(process - self.process, thread - self.thread)
        if spent > self.seconds:
            self.grace = 1.0
        if self.leave is not None:
            for timer, tick in ((signal.ITIMER_PROF, _LOAD_TICK), (signal.ITIMER_REAL, _IDLE_TICK)):
                if abs(signal.getitimer(timer)[1] - tick) < 0.005:
                    signal.setitimer(timer, 0)
        self.seconds, self.leave = math.inf, None
        self.process, self.thread, self.began = process, thread, time.monotonic()
        self.read = self.began
        return spent

    def spent(self) -> float:
        """The CPU seconds since the start."""
        return _longer(time.process_time() - self.process, time.thread_time() - self.thread)

    def look(self, number: int, frame: FrameType | None) -> None:
        """Report a time-out and end at once; the remaining calls go to a new process. Else strike again in time."""
        del number
        if self.leave is not None:
            self._look_at_loading(frame)
            return
        if self.seconds == math.inf:
            return
        what, cpu = "CPU", self.spent()
        if self.seconds <= cpu < self.grace * self.seconds:
            self._set_cpu(self.grace * self.seconds - cpu)
            return
        if cpu < self.seconds:
            what, left = "wall", self.wall - (time.monotonic() - self.began)
            if left > 0:
                self._set_cpu(self.seconds - cpu)
                self._set_wall(left)
                return
        self.report.line(written({
            "cpu": cpu, "where": line_of(frame), "status": "timeout", "detail": f"{what} time",
        }))
        self.report.end()
        os._exit(0)


def _longer(process: float, thread: float) -> float:
    """The time by two clocks: that of the process is as coarse as the tick while a timer runs on it."""
    return process if process > thread else thread
