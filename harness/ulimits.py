"""Limits that a shell or an administrator has set on processes (`ulimit`), below which everything here has to stay."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from harness.errors import UserError

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

_OPTIONS = {"AS": ("-v", 1024), "NOFILE": ("-n", 1), "NPROC": ("-u", 1), "FSIZE": ("-f", 1024), "CPU": ("-t", 1)}
"""How shells call what `resource` calls so, and in which units."""
_SHORT_OF = {
    errno.EMFILE: "NOFILE", errno.EAGAIN: "NPROC", errno.ENOMEM: "AS", errno.EFBIG: "FSIZE",
}
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT}
_FEW_PROCESSES = 256
_LEAST_MEMORY = 400 * 1024**2
"""Bytes of addresses below which the libraries of this process don't load."""


def hard(name: str) -> int | None:
    """The limit of that name in `resource` that can't be raised here, None where there is none."""
    if resource is None:
        return None
    most = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1]
    return None if most == resource.RLIM_INFINITY else most


def within(bounds: Mapping[str, int]) -> dict[str, int]:
    """These limits, each made as small as what is set here."""
    return {name: wanted if (most := hard(name)) is None else min(wanted, most) for name, wanted in bounds.items()}


def lowered(bounds: Mapping[str, int]) -> str:
    """Which of these limits are made smaller by what is set here, in words with the cure; "" where none is."""
    return "; ".join(
        f"`ulimit {option}` is {actual // unit} here, raise it to {-(-bounds[name] // unit)} or more"
        for name, (option, unit) in _OPTIONS.items()
        if name in bounds and (actual := within(bounds)[name]) < bounds[name]
    )


def told(error: BaseException) -> str:
    """What this process ran short of, in a sentence with the cure; "" where an error does not say that of it."""
    number = _number(error)
    if number in _NO_ROOM:
        return f"There is no room left ({_said(error)}): make room, and run the same command again."
    name = _SHORT_OF.get(number, "")
    if not name:
        return ""
    option, unit = _OPTIONS[name]
    most = hard(name)
    cure = f"`ulimit {option}` is {'unlimited' if most is None else most // unit}"
    return f"This process ran short ({_said(error)}): {cure}; raise it where it is low, and run the same command again."


def prepare() -> None:
    """Make this process modest where limits are low, and let it end in a sentence where its CPU time is over.

    Raises `UserError` where there is too little memory for it.
    """
    memory, processes, seconds = hard("AS"), hard("NPROC"), hard("CPU")
    if memory is not None and memory < _LEAST_MEMORY:
        raise UserError(
            f"`ulimit -v` is {memory // 1024} here, too little for this command: raise it to 4000000 or more."
        )
    if memory is not None or (processes is not None and processes < _FEW_PROCESSES):
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # each thread takes its share of both at the start
    if memory is not None:
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # the usual one takes a GB of addresses
    if seconds is not None:
        _end_in_time(seconds)


def _end_in_time(seconds: int) -> None:
    """Be told a second before the system ends this process."""
    with suppress(ValueError, OSError):  # not the main thread
        soft = resource.getrlimit(resource.RLIMIT_CPU)[0]
        early = seconds - 1 if soft == resource.RLIM_INFINITY else min(soft, seconds - 1)
        signal.signal(signal.SIGXCPU, _over)
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, early), seconds))


def _over(*_: Any) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    raise UserError(
        f"The CPU time of this command is over: `ulimit -t` is {hard('CPU')}; raise it and run the same command again, "
        "results are kept."
    )


def _number(error: BaseException) -> int:
    """The `errno` of an error, also of one that has it in its text alone; 0 where there is none."""
    if isinstance(error, OSError) and error.errno:
        return error.errno
    if isinstance(error, MemoryError):
        return errno.ENOMEM
    if "start new thread" in str(error):  # each has a stack
        return errno.EAGAIN if hard("AS") is None else errno.ENOMEM
    return next((number for number in (*_SHORT_OF, *_NO_ROOM) if os.strerror(number) in str(error)), 0)


def _said(error: BaseException) -> str:
    return str(error) or type(error).__name__
