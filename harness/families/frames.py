"""Answers that stand in a frame: the program that runs is what is given before, the answer, and what is given after."""

from __future__ import annotations

import re

from harness.families import Assembled
from harness.languages.registry import language
from harness.records import Frame, Task

_LINE = re.compile(r"\bline (\d+)")
UNFIT = "the answer changes what stands around it, which is given"


def framed(task: Task, answer: str) -> Assembled:
    """The program for an answer in the task's frame; an answer that breaks out of its frame is unfit."""
    answers = language(task.language).answers
    frame, answer = answers.placed(task.given or Frame(), answer)
    answer = _ended(answer, frame)
    lines = answer.count("\n") + (not answer.endswith("\n"))
    fits = answers.fits(frame, answer, _ended(task.reference, frame))
    program = frame.before + answer + frame.after
    return Assembled(program, frame.before.count("\n"), lines, "" if fits else UNFIT)


def _ended(answer: str, frame: Frame) -> str:
    """The answer with the end of its last line, where something stands on lines of its own behind it."""
    whole = frame.before.endswith("\n") or not frame.before
    return answer if answer.endswith("\n") or not whole else answer + "\n"


def relative(text: str, made: Assembled) -> str:
    """What is said of a program's lines, said of the answer's; other lines are those of what is given."""
    def told(found: re.Match[str]) -> str:
        line = int(found[1]) - made.before
        return f"line {line}" if 1 <= line <= made.lines else f"line {found[1]} of what is given"

    return _LINE.sub(told, text) if made.before else text
