"""What models are asked for Python, after the paper's protocol (Tables 15 and 16), in the same words for all tracks."""

from __future__ import annotations

import ast
import re
import textwrap

from harness.languages.python import VERSION
from harness.languages.python.extraction import signature_line
from harness.records import Dependence, Task, Track

SYSTEM = (
    "You are an expert programmer who writes Python functions for other people from their specification. You are given "
    "a function's signature and docstring, with the imports that these need. Do exactly what the docstring says. Use "
    "nothing but the standard library, and the libraries that are named as allowed.\n\n"
    f"The code runs on Python {VERSION}. Results must have the types that the docstring tells: a list is no tuple, a "
    "frozenset no set, True is not 1, and arrays keep their precision; floats may differ by rounding. Of an exception "
    "the type counts, which may be a more special one, and not the message. Leave arguments unchanged, unless the "
    "docstring says that they are changed.\n\n"
    "Answer with one ```python code block: the function, with the imports of what it uses. "
    "No docstring, no explanation, nothing else."
)
_GIVEN = "\n\nThe code that is given with the task is there already: use it, and don't repeat it."
_FIRST_LINE = f"# Python {VERSION}\n"
STOP = ("\nclass ", "\nif __name__", "\nprint(", "\nassert ")
"""Where a completion ends; four, because that is all that completion servers take. Chat answers end by themselves."""


def system(task: Task) -> str:
    """The system message for a task."""
    return SYSTEM + (_GIVEN if task.given is not None else "")


def _dependence(task: Task) -> Dependence:
    """What a task's function depends on; in families with all in one track, its libraries say so."""
    return Track(task.track).dependence or (Dependence.WSC if task.libraries else Dependence.SC)


def user(task: Task) -> str:
    """The instruction, with the code that is given and the libraries that may be used."""
    text = task.instruction.strip() + "\n"
    if task.given is not None:
        there = f"These definitions are there already:\n\n{fenced(task.given.before.strip())}\n"
        text = f"{there}This is the function to write; use them where they help:\n\n{fenced(text.strip())}"
    if _dependence(task) is Dependence.WSC:
        text += f"\nAllowed libraries: {', '.join(task.libraries)}\n"
    return text


def fenced(code: str) -> str:
    """Code as a block of Markdown, whose fence is longer than any in it."""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
    return f"{fence}python\n{code}\n{fence}\n"


def completion(task: Task) -> str:
    """The beginning of a file that ends behind the function's docstring, so that its body comes next."""
    text = task.instruction.strip()
    before = task.given.before if task.given is not None else ""
    if _is_function(text, task.entry_point):
        return f"{_FIRST_LINE}{before}{text}\n"
    escaped = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    docstring = textwrap.indent(f'"""{escaped}\n"""', "    ")
    lines = [*task.imports, *(["", ""] if task.imports else []), signature_line(task), docstring]
    return _FIRST_LINE + before + "\n".join(lines) + "\n"


def stub(task: Task) -> str:
    """A function of the right name that does nothing."""
    return f"def {task.entry_point}(*args, **kwargs):\n    return None\n"


def _is_function(text: str, name: str) -> bool:
    """Whether the text is code that ends with the function and its docstring."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    last = body[-1] if body else None
    return isinstance(last, ast.FunctionDef) and last.name == name and ast.get_docstring(last) is not None
