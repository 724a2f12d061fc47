"""Runs inside the sandbox: the channel out, and in which words lines tell of exceptions and places."""

from __future__ import annotations

import os
import time

import values

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

MODULE = "solution"
FILE = "solution.py"
_MESSAGE = 1000
CHANNEL, INPUT = 250, 249
"""The numbers of the private channels: those that programs hardly open, or close, as a file by mistake."""
_PENDING = 1 << 16
"""Characters of lines that are gathered at most."""
written: Callable[[Any], str] = values.canonical


class Report:
    """The private channel out. What is reported is gathered, unless lines are wanted `each` for itself."""

    def __init__(self, each: bool) -> None:
        self.each = each
        self.lines: list[str] = []
        self.size = 0
        self.descriptor = os.dup2(1, CHANNEL, inheritable=False)
        os.dup2(0, INPUT, inheritable=False)
        null = os.open(os.devnull, os.O_RDWR)
        for standard in (0, 1, 2):
            os.dup2(null, standard)
        os.close(null)

    def line(self, line: str) -> None:
        """Report one line."""
        self.lines.append(line)
        self.size += len(line)
        if self.each or self.size > _PENDING:
            self.flush()

    def flush(self) -> None:
        """Write what there is, in whole lines."""
        if self.lines:
            text = "\n".join(self.lines) + "\n"
            self.lines, self.size = [], 0
            self.raw(text.encode())

    def raw(self, text: bytes) -> None:
        """Write lines that are made already."""
        rest = memoryview(text)
        while rest:
            rest = rest[os.write(self.descriptor, rest) :]

    def end(self) -> None:
        """What a program has reported is complete."""
        self.flush()


class Gathered:
    """What one of several programs in a process reports: one line for all of it, when it is complete."""

    def __init__(self, out: Report) -> None:
        self.out = out
        self.lines: list[str] = []
        self.started = time.process_time()

    def line(self, line: str) -> None:
        """Keep one line."""
        self.lines.append(line)

    def flush(self) -> None:
        """Nothing is written before the end."""

    def end(self) -> None:
        """Write what there is."""
        wrote = "".join(line + "\n" for line in self.lines)
        self.out.line(written({"wrote": wrote, "code": 0, "cpu": time.process_time() - self.started}))


def line_of(frame: FrameType | None) -> str:
    """The innermost line of the program above a frame."""
    while frame is not None:
        if frame.f_code.co_filename == FILE:
            return f"line {frame.f_lineno} in {frame.f_code.co_name}"
        frame = frame.f_back
    return ""


def raised_where(error: BaseException) -> str:
    """The last line of the program that an exception came through."""
    where, trace = "", error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            where = f"line {trace.tb_lineno} in {trace.tb_frame.f_code.co_name}"
        trace = trace.tb_next
    return where


def message_of(error: BaseException) -> str:
    """The text of an exception, as far as it has one that is safe to write."""
    try:
        return str(error)[:_MESSAGE].encode("utf-8", "backslashreplace").decode("utf-8")
    except BaseException:
        return ""
