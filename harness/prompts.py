"""What a model is asked, after the paper's protocol (Tables 15 and 16): zero-shot, one system and one user message.

Chat models get both messages; completion models get the instruction as the beginning of a file, which they continue.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterable
from dataclasses import asdict, dataclass

from harness.answers.extraction import signature_line
from harness.records import PYTHON, Task, Track, digest

_RULES = (
    f"The code runs on Python {PYTHON}. Results must have the types that the docstring tells: a list is no tuple, a "
    "frozenset no set, True is not 1, and arrays keep their precision. An exception may be of a more special type.\n\n"
)
SYSTEM = {
    Track.SC_PYTHON: (
        "You are an expert programmer who writes Python for other people. You are given a function's signature and "
        "docstring, and write the function that they describe.\n\n" + _RULES +
        "Answer with one ```python code block: the function, and the imports of types that it needs. "
        "No docstring, no explanation, nothing else."
    ),
    Track.WSC_PYTHON: (
        "You are a highly skilled Python programmer who implements functions from their specification. You are given a "
        "function's imports, signature and docstring. Do exactly what the docstring says, and use no libraries but the "
        "standard library and those that are named as allowed.\n\n" + _RULES +
        "Answer with one ```python code block: the function, with the imports of the libraries that it uses. "
        "No explanation, nothing else."
    ),
}
_FIRST_LINE = f"# Python {PYTHON}\n"
STOP = ("\nclass ", "\nif __name__", "\nprint(", "\nassert ")
"""Where a completion ends; four, because that is all that completion servers take. Chat answers end by themselves."""


@dataclass(frozen=True)
class Prompt:
    """What is asked for one task: `system` and `user` for chat models, `completion` for the others."""

    task_id: str
    system: str
    user: str
    completion: str

    def as_json(self) -> dict[str, str]:
        """A line of `code2bench prompts`."""
        return asdict(self)


def prompt(task: Task) -> Prompt:
    """The prompt of a task."""
    return Prompt(task.task_id, SYSTEM[Track(task.track)], _user(task), completion(task))


def _user(task: Task) -> str:
    text = task.instruction.strip() + "\n"
    if task.track == Track.WSC_PYTHON:
        text += f"\nAllowed libraries: {', '.join(task.libraries)}\n"
    return text


def completion(task: Task) -> str:
    """The beginning of a file that ends behind the function's docstring, so that its body comes next."""
    text = task.instruction.strip()
    if _is_function(text, task.entry_point):
        return f"{_FIRST_LINE}{text}\n"
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    docstring = textwrap.indent(f'"""{escaped}\n"""', "    ")
    lines = [*task.imports, *(["", ""] if task.imports else []), signature_line(task), docstring]
    return _FIRST_LINE + "\n".join(lines) + "\n"


def _is_function(text: str, name: str) -> bool:
    """Whether the text is code that ends with the function and its docstring."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    last = body[-1] if body else None
    return isinstance(last, ast.FunctionDef) and last.name == name and ast.get_docstring(last) is not None


def prompts_hash(tasks: Iterable[Task]) -> str:
    """A hash over all that models are asked, in the order of the tasks' ids: results with another one don't compare."""
    asked = sorted((p.task_id, p.system, p.user, p.completion) for p in map(prompt, tasks))
    return digest(*(part for parts in asked for part in parts))
