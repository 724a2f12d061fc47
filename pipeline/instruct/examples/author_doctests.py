"""The author's doctests: each is run against the reference in the sandbox, and what is not true is left out."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterable

from harness.errors import SandboxFailed
from harness.languages import Call, Execution, Machine
from harness.languages.python.runner import run_calls
from harness.sandbox import Limits
from harness.values import encode
from pipeline.instruct.source import imports_only, raw_docstring, with_docstring
from pipeline.languages.python.description import without_pointers
from pipeline.languages.python.facts import Facts, read_facts
from pipeline.records import Suite

_FENCE = re.compile(r"(?m)^[ \t]*```[\w-]*[ \t]*$")
_SECTION = re.compile(r"(?m)^Examples?\n-{3,}\n(?:.*\n?)*?(?=^\S.*\n-{3,}\n|\Z)")
_COMMENT = re.compile(r"(?m)^[ \t]*>>> #.*\n?")
_LIMITS = Limits(cpu_seconds=10.0, wall_seconds=20.0)
_ENTRY = "examples_that_fail"
_RUNNER = f'''

def {_ENTRY}(text):
    import doctest

    class Runner(doctest.DocTestRunner):
        failed = ()

        def report_failure(self, out, test, example, got):
            self.failed += (example.lineno,)

        def report_unexpected_exception(self, out, test, example, exc_info):
            self.failed += (example.lineno,)

    runner = Runner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    test = doctest.DocTestParser().get_doctest(text, dict(globals()), "examples", None, 0)
    runner.run(test, out=lambda shown: None, clear_globs=False)
    return list(runner.failed)
'''


def true_facts(suite: Suite, machine: Machine | None) -> Facts:
    """The facts about a suite's function, its docstring without the examples that are not true or can't be run."""
    function = suite.candidate.function
    facts = read_facts(suite.candidate.program, function.name)
    if not parsed(_author(facts)):
        return facts
    text = _FENCE.sub("", _author(facts))
    kept = without(text, [example for example in parsed(text) if imports_only(example.source, function.name)])
    failed = failing(suite.candidate.program, kept, machine)
    true = without(kept, [example for example in parsed(kept) if failed is None or example.lineno in failed])
    if not any(example.want for example in parsed(true)):
        true = _SECTION.sub("", without(true, parsed(true)))
    bare = _COMMENT.sub("", true)
    return with_docstring(suite.candidate.program, function.name, _tidy(true if ">>> " in bare else bare))


def _author(facts: Facts) -> str:
    return without_pointers(inspect.cleandoc(raw_docstring(facts)))


def parsed(text: str) -> list[doctest.Example]:
    """The doctests of a text; none where they can't be read."""
    try:
        return doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []


def without(text: str, examples: Iterable[doctest.Example]) -> str:
    """A text without the lines of some of its doctests and of what they print."""
    gone: set[int] = set()
    for example in examples:
        count = example.source.count("\n") + example.want.count("\n")
        gone |= set(range(example.lineno, example.lineno + count))
    return "\n".join(line for number, line in enumerate(text.splitlines()) if number not in gone)


def failing(program: str, text: str, machine: Machine | None) -> frozenset[int] | None:
    """The lines of a text's doctests that fail with a program, None where nobody can say."""
    if machine is None:
        return None
    try:
        calls = [Call((encode(text),), {})]
        run = run_calls(Execution(program + _RUNNER, _ENTRY, calls, _LIMITS), machine)
    except SandboxFailed:
        return None
    answer = run.outcomes[0].answer if run.outcomes else None
    if answer is None or not isinstance(answer.value, list):
        return None
    return frozenset(line for line in answer.value if isinstance(line, int))


def _tidy(text: str) -> str:
    """A text without headings that have nothing below them, and without runs of blank lines."""
    lines = text.splitlines()
    kept: list[str] = []
    for number, line in enumerate(lines):
        below = next((other for other in lines[number + 1:] if other.strip()), "")
        heading = line.strip().rstrip(":").lower() in ("example", "examples", "usage", "doctest", "doctests")
        underlined = bool(below.strip()) and set(below.strip()) <= {"-", "=", "~"}
        inside = len(below) - len(below.lstrip()) > len(line) - len(line.lstrip())
        if not heading or inside or underlined or ">>>" in below:
            kept.append(line)
    return re.sub(r"\n\s*\n(?=\s*\n)", "\n", "\n".join(kept)).strip()
