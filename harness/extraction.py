"""The code in a model's answer: what a person would copy out of it, and nothing that would make it better.

What is mended is form: fences, prose, reasoning, a class around, a body without its signature, imports that the
instruction already gave, and examples that would run when the code is loaded. What is never mended is the code: a
function under another name stays under that name (and fails), a syntax error stays one.
"""

from __future__ import annotations

import ast
import textwrap
import typing
from functools import cache

from harness.fences import Block, after_reasoning, fenced_blocks
from harness.records import Task
from harness.syntax import DEFINITIONS, Module, answers, bound, loaded, parse, unbound, without_examples

MAX_CHARS = 1_000_000
_STARTS = ("def ", "async def ", "class ", "import ", "from ", "@")
_MAX_STARTS = 1000
_MAX_CUTS = 100


def extract(answer: str, task: Task) -> str:
    """The code to judge in an answer to the task, "" when there is none.

    Several versions of the function: the last complete one counts. Text that tries to define it but does not parse is
    given back as it is, to be judged as the syntax error that it is. Above a million characters, or nested too deeply
    to be looked at, an answer is given back as it stands.
    """
    if len(answer) > MAX_CHARS:
        return answer
    try:
        return _extract(answer, task)
    except RecursionError:
        return answer


def _extract(answer: str, task: Task) -> str:
    text = answer.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    plain = parse(textwrap.dedent(text))
    if isinstance(plain, Module) and plain.defines(task.entry_point):
        return _assemble(plain, [], task)
    rest, ended = after_reasoning(text)
    code = _best(_pieces(rest, fences_only=not ended), task)
    return code if code or rest == text else _best(_pieces(text, fences_only=False), task)


def _pieces(text: str, fences_only: bool) -> list[Block]:
    """The parts of a text that may be code, in order; reasoning that never ended gives its fenced parts alone."""
    blocks = [block for block in fenced_blocks(text) if block.python]
    return blocks or ([] if fences_only else [Block("", text, closed=False)])


def _best(pieces: list[Block], task: Task) -> str:
    name = task.entry_point
    modules = [module for piece in pieces for module in _modules(piece)]
    for module in reversed(modules):
        if module.defines(name):
            return _assemble(module, [other for other in modules if other is not module], task)
    for module in reversed(modules):
        if lifted := _lifted(module, name):
            return _assemble(lifted, [], task)
    for piece in reversed(pieces):
        if body := _continued(piece.code, task):
            return _assemble(body, [], task)
    return _unfit(pieces, modules, name)


def _unfit(pieces: list[Block], modules: list[Module], name: str) -> str:
    """What is judged where nothing defines the function: text that tries to, else whatever code there is."""
    for piece in reversed(pieces):
        if any(line.lstrip().startswith((f"def {name}(", f"async def {name}(")) for line in piece.code.split("\n")):
            return piece.code
    for module in reversed(modules):
        if any(isinstance(statement, DEFINITIONS) for statement in module.tree.body):
            return module.text
    for piece in reversed(pieces):
        if piece.closed or any(line.startswith(_STARTS[:3]) and ":" in line for line in piece.code.split("\n")):
            return piece.code
    return ""


# From a block to a module


def _modules(piece: Block) -> list[Module]:
    """The block as a module; where its end is not marked, the modules between the prose."""
    text = textwrap.dedent(piece.code)
    whole = parse(text)
    if isinstance(whole, Module):
        return [whole] if whole.tree.body else []
    lines, found, behind = text.split("\n"), [], 0
    starts = [] if piece.closed else [n for n, line in enumerate(lines) if line.startswith(_STARTS)]
    for start in starts[:_MAX_STARTS]:
        if start >= behind and (module := _until_prose(lines[start:])):
            found.append(module)
            behind = start + module.text.count("\n")
    return found


def _until_prose(lines: list[str]) -> Module | None:
    """The longest beginning that parses and ends before a line at the margin, so that no function is cut in two."""
    end = len(lines)
    for _ in range(_MAX_CUTS):
        parsed = parse("\n".join(lines[:end]) + "\n")
        if isinstance(parsed, Module):
            return parsed if parsed.tree.body else None
        end = min(end, parsed) - 1
        if end <= 0 or not lines[end].strip() or lines[end][0].isspace():
            return None
    return None


def _lifted(module: Module, name: str) -> Module | None:
    """The module with the method of a class around bound to the function's name; the class stays, it may be needed."""
    for statement in reversed(module.tree.body):
        if not isinstance(statement, ast.ClassDef):
            continue
        for method in reversed(statement.body):
            if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.name == name:
                owner = f"{statement.name}()" if _needs_object(method) else statement.name
                lifted = parse(f"{module.text.rstrip()}\n\n\n{name} = {owner}.{name}\n")
                return lifted if isinstance(lifted, Module) else None
    return None


def _needs_object(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = {mark.id for mark in method.decorator_list if isinstance(mark, ast.Name)}
    first = [*method.args.posonlyargs, *method.args.args][:1]
    return not marks & {"staticmethod", "classmethod"} and bool(first) and first[0].arg == "self"


def _continued(text: str, task: Task) -> Module | None:
    """The text as what comes behind the signature, as completion models give it."""
    header, body = signature_line(task), text.strip("\n")
    variants = [body] if body[:1].isspace() else ["    " + body, textwrap.indent(textwrap.dedent(body), "    ")]
    for variant in variants:
        module = _until_prose([*header.split("\n"), *variant.split("\n")])
        if module is not None and any(answers(s, task.entry_point) for s in module.tree.body):
            return module
    return None


def signature_line(task: Task) -> str:
    """The task's signature with its colon."""
    signature = task.signature.strip()
    return signature if signature.endswith(":") else signature + ":"


# From a module to the program


def _assemble(module: Module, others: list[Module], task: Task) -> str:
    """The module without examples, with what it uses from the other blocks and from the instruction in front."""
    text = without_examples(module, task.entry_point)
    kept = parse(text)
    if not isinstance(kept, Module):
        return text
    text = _from_others(kept, others) + text
    whole = parse(text)
    missing = unbound(whole.tree) if isinstance(whole, Module) else set()
    lines: list[str] = []
    for line in (*(line for line in task.imports if not line.startswith("from __future__")), *_typing_imports()):
        if _binds(line) & missing:
            lines.append(line)
            missing -= _binds(line)
    futures = [line for line in task.imports if line.startswith("from __future__") and line not in text]
    return _in_front(futures, lines, text)


def _from_others(module: Module, others: list[Module]) -> str:
    """The definitions in the answer's other blocks that the module needs: imports, helpers, constants."""
    wanted = unbound(module.tree)
    statements = [(other, s) for other in others for s in other.tree.body if not isinstance(s, ast.Expr)]
    taken: set[int] = set()
    while found := {n for n, (_, s) in enumerate(statements) if n not in taken and bound(s) & wanted}:
        taken |= found
        wanted |= {name for n in found for name in loaded(statements[n][1])}
    return "".join(other.source(s) + "\n\n" for n, (other, s) in enumerate(statements) if n in taken)


@cache
def _typing_imports() -> tuple[str, ...]:
    return ("import typing", *(f"from typing import {name}" for name in sorted(typing.__all__)))


@cache
def _binds(line: str) -> frozenset[str]:
    module = parse(line)
    return frozenset(n for s in module.tree.body for n in bound(s)) if isinstance(module, Module) else frozenset()


def _in_front(futures: list[str], imports: list[str], text: str) -> str:
    """The text with import lines before its first statement, behind `__future__` imports of its own."""
    module = parse(text)
    body = module.tree.body if isinstance(module, Module) else []
    own = [s for s in body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    cut = (own[-1].end_lineno or 0) if own else 0
    rows = text.split("\n")
    front = [*futures, *rows[:cut], *imports]
    return "\n".join([*front, *([""] if futures or imports else []), *rows[cut:]])
