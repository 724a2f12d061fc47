"""What a language model has written, made ready to be run and published: one function that gives its strategy.

The text is a stranger's. It only runs inside the sandbox; but it is published with the suite, and people run what is
published, so it may use no more than a function that becomes a task may.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.languages.python.effects import findings
from pipeline.suites.domain.contract import COMPUTING

RESULT = "arguments"
"""The name that the text has to give to its strategy."""
HYPOTHESIS = frozenset(("hypothesis", "random", "__future__"))
"""What it may import besides modules that compute, and those that the function itself imports."""
MOST = 20_000
"""Characters of a text, far more than strategies need."""


class Unfit(Exception):
    """A text that can't be taken; the message is a sentence that tells its author why."""


def as_function(code: str, name: str, program: str) -> str:
    """The text as the source of a function of that name without arguments; raises `Unfit`.

    What stood on the level of the module are its local names, so nothing of it meets the names of what is around it.
    """
    if len(code) > MOST:
        raise Unfit(f"The code has {len(code)} characters, more than {MOST}.")
    try:
        made = _function(ast.parse(code), name)
        faults = [*_foreign(made, program), *_hidden(made), *_impure(made)]
        source = ast.unparse(made)
    except SyntaxError as error:
        where = f" (line {error.lineno})" if error.lineno else ""
        raise Unfit(f"The code is no Python: {error.msg}{where}.") from None
    except (ValueError, RecursionError, MemoryError):
        raise Unfit("The code can't be read as Python.") from None
    if faults:
        raise Unfit(f"The code may not do this: {'; '.join(dict.fromkeys(faults))}.")
    return source


def _function(tree: ast.Module, name: str) -> ast.Module:
    body = [node for node in tree.body if not (isinstance(node, ast.ImportFrom) and node.module == "__future__")]
    made = ast.parse(f"def {name}():\n    return {RESULT}")
    function = made.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.body = [*body, *function.body]
    return made


def _foreign(tree: ast.AST, program: str) -> Iterator[str]:
    """Modules that it may not import, and stars, which no function can import."""
    allowed = COMPUTING | HYPOTHESIS | {name.partition(".")[0] for name, _ in _imports(ast.parse(program))}
    for name, star in _imports(tree):
        if name.partition(".")[0] not in allowed:
            yield f"it imports {name or 'from a package'}"
        if star:
            yield f"it imports * from {name}"


def _imports(tree: ast.AST) -> Iterator[tuple[str, bool]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, False) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            absolute = (node.module or "") if not node.level else ""
            yield absolute, any(alias.name == "*" for alias in node.names)


def _hidden(tree: ast.AST) -> Iterator[str]:
    """Attributes that are nobody's business, and changes of attributes, by which modules can be changed."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield f"it uses the attribute {node.attr}"
        elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
            yield f"it changes {ast.unparse(node)}"
        elif isinstance(node, ast.Name) and node.id in ("setattr", "delattr", "getattr", "__builtins__"):
            yield f"it uses {node.id}"


def _impure(tree: ast.Module) -> Iterator[str]:
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    return (f"{finding.what}" for finding in findings(tree, function))
