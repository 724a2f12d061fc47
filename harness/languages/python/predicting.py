"""Questions about what Python programs do: how they are put, where replies answer them, what runs for an answer."""

from __future__ import annotations

from collections.abc import Callable

from harness.languages.python import literals
from harness.languages.python.literals import Literal, NotLiteral
from harness.records import Task
from harness.values import decode
from harness.values.expressions import Names, expression

_ANSWERED = "answered"


def call(task: Task) -> str:
    """The call of the task's case; raises `NotShowable`."""
    case, names = task.cases[0], Names.of(task.imports)
    given = [expression(decode(one), names) for one in case.args]
    named = [f"{name}={expression(decode(one), names)}" for name, one in case.kwargs.items()]
    return f"{task.entry_point}({', '.join([*given, *named])})"


def value(task: Task) -> str:
    """What the call of the task's case gives; raises `NotShowable`."""
    return expression(decode(task.cases[0].expected.value), Names.of(task.imports))


def find_value(reply: str, task: Task) -> str:
    """The value in a reply."""
    return literals.found(reply, _reads(lambda text: literals.value(text, task.imports)), right=True)


def find_call(reply: str, task: Task) -> str:
    """The call in a reply."""
    return literals.found(reply, _reads(lambda text: literals.call(text, task.entry_point, task.imports)), right=False)


def _reads(read: Callable[[str], Literal]) -> Callable[[str], bool]:
    """Whether a text can be read so."""
    def reads(text: str) -> bool:
        try:
            read(text)
        except NotLiteral:
            return False
        return True

    return reads


def giving(answer: str, task: Task) -> str:
    """The program whose entry point gives that value, whatever it is called with; raises `NotLiteral`."""
    return _returning(literals.value(answer, task.imports), task.entry_point)


def calling(answer: str, task: Task) -> tuple[str, str]:
    """The task's program with a function that makes that call, and this one's name; raises `NotLiteral`."""
    made = literals.call(answer, task.entry_point, task.imports)
    before = task.given.before if task.given else ""
    name = _ANSWERED
    while name in before:
        name += "_"
    return f"{before.rstrip()}\n\n\n{_returning(made, name)}", name


def _returning(made: Literal, name: str) -> str:
    lines = [f"def {name}(*_, **__):", *(f"    {line}" for line in made.imports), f"    return {made.text}"]
    return "\n".join(lines) + "\n"
