"""The code in a model's answer: what a person would copy out of it, and nothing that would make it better.

What is mended is form: fences, prose, reasoning, a class around, a body without its signature, imports that the
instruction already gave, parts of one program that stand in several blocks. What is never mended is the code: a
function under another name stays under that name (and fails), a syntax error stays one. Examples and tests stay, too:
where they can't run, the language's driver goes on behind them.
"""

from __future__ import annotations

import ast
import re
import textwrap
import typing
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, takewhile

from harness.languages.fences import (
    Block,
    after_reasoning,
    fenced_blocks,
    legible,
    outside,
    rewritten,
    tagged_blocks,
    texts_in_json,
)
from harness.languages.python.prose import MAX_PROSE, first_module, modules_in, without_prose
from harness.languages.python.syntax import (
    DEFINITIONS,
    IMPORTS,
    Module,
    Reader,
    answers,
    assigns,
    bound,
    definitions,
    is_cut_short,
    loaded,
    unbound,
    without_replacements,
)
from harness.records import Task

MAX_CHARS = 1_000_000
FENCE_TAGS = frozenset({
    "", "python", "py", "python3", "py3", "ipython", "ipython3", "pycon", "code", "text", "plaintext",
})
"""Tags of fences that say Python, or nothing of languages."""
_FIRST = 3
"""How many lines of a block may say that it is a mistake."""
_WARNS = re.compile(
    r"\b(?:mistakes?|wrong|incorrect|buggy|broken|pitfalls?|anti-?patterns?)\b"
    r"|^[^\w\n]*(?:avoid|do not|don['’]t|never|bad|before|original|old|previous)\b", re.IGNORECASE,
)
_MENDS = re.compile(r"\b(?:correct(?:ed|ion)?|fix(?:ed|es)?|final|right|better|improved|instead)\b", re.IGNORECASE)
_CALLED_WRONG = re.compile(r"#.*\b(?:mistake|wrong|incorrect|buggy|broken)\b", re.IGNORECASE)


def extract(answer: str, task: Task) -> str:
    """The code to judge in an answer to the task, "" when there is none; whatever the text, this ends, and soon.

    Several versions of the function: the last complete one counts that is not called a mistake. Text that tries to
    define it but does not parse is given back as it is, to be judged as the syntax error that it is. Above a million
    characters an answer is given back as it stands.
    """
    if len(answer) > MAX_CHARS:
        return answer
    try:
        return _Extraction(task).of(answer.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff"))
    except Exception:
        # Trees may be nested too deeply to be looked at, and whatever else fails must fail for this answer alone.
        return answer


@dataclass(frozen=True)
class _Found:
    """A module of an answer, with what is said of it in front of it."""

    module: Module
    warned: bool


class _Extraction:
    """The search in one answer, which may read so much and no more."""

    def __init__(self, task: Task) -> None:
        self.task, self.name = task, task.entry_point
        self.reader = Reader()
        self.tries = re.compile(rf"^[ \t]*(?:async )?def {re.escape(self.name)}\(", re.MULTILINE)
        self.labelled = re.compile(rf"^([\w* \t]{{1,60}}:[ \t*]+)(def {re.escape(self.name)}\()", re.MULTILINE)

    def of(self, text: str) -> str:
        """The code in an answer."""
        plain = self._read(textwrap.dedent(text))
        if plain is not None and definitions(plain.tree, self.name):
            return self._assembled(plain, plain, [])
        rest, ended = after_reasoning(text)
        code = self._completion(rest) or self._defining(rest, fences_only=not ended)
        if not code and rest != text:
            code = self._defining(text, fences_only=True)
        return code or self._unfit(rest, fences_only=not ended)

    def _completion(self, text: str) -> str:
        """The program where a text begins with the body of the function, whatever else it goes on with."""
        if not text.strip("\n")[:1].isspace() or "```" in text:
            return ""
        body = self._continued(text)
        return self._assembled(body, body, []) if body is not None else ""

    def _read(self, text: str) -> Module | None:
        """The text as a module, as it stands or else without what nobody sees."""
        if len(text) > self.reader.left:
            return None
        return self.reader.read(text) or ((shown := legible(text)) != text and self.reader.read(shown)) or None

    def _defining(self, text: str, fences_only: bool) -> str:
        """The program with the function, "" where nothing defines it."""
        places: list[list[_Found]] = []
        for found in self._places(text, fences_only):
            places.append(found)
            best = _best(found, self.name)
            if best is not None:
                return self._assembled(best, best, found)
            for one in reversed(found):
                if lifted := self._lifted(one.module):
                    return self._assembled(lifted, one.module, found)
        for block in [] if fences_only else reversed(_python(text) or [Block("", text, closed=False)]):
            if body := self._continued(block.code):
                return self._assembled(body, body, [])
        return self._bound(places)

    def _bound(self, places: Sequence[Sequence[_Found]]) -> str:
        """The program with a module that gives the name to something that is no definition of its own."""
        for gives in (assigns, _binds_at_all):
            for found in places:
                for one in reversed(found):
                    if gives(one.module.tree, self.name):
                        return self._assembled(one.module, one.module, found)
        return ""

    def _places(self, text: str, fences_only: bool) -> Iterator[list[_Found]]:
        """The modules in an answer by each way in which it may show code, the surest first."""
        blocks = _python(text)
        yield [found for block in blocks for found in self._fenced(block)]
        if fences_only:
            return
        rest = outside(text, (block for block in blocks if self.tries.search(block.code)))
        yield self._in_prose(rest)
        yield [found for block in tagged_blocks(rest) for found in self._fenced(block)]
        marked = (one for code in (rest, *(block.code for block in blocks)) for one in rewritten(code))
        for inner in chain(texts_in_json(rest), self._literals(rest), marked):
            yield self._whole_text(inner)
        modules = [found.module for block in blocks for found in self._fenced(block)] or modules_in(rest, self.reader)
        for inner in (text for module in modules for text in _literals(module)):
            yield self._whole_text(inner)

    def _literals(self, text: str) -> list[str]:
        """The texts in an answer that is nothing but a value of Python's."""
        module = self._read(text.strip())
        if module is None or not all(isinstance(statement, ast.Expr) for statement in module.tree.body):
            return []
        return _literals(module)

    def _whole_text(self, text: str) -> list[_Found]:
        """The modules in a text that is an answer inside of another."""
        module = self._read(textwrap.dedent(text))
        if module is not None:
            return [_Found(module, warned=False)]
        return [found for block in _python(text) for found in self._fenced(block)] or self._in_prose(text)

    def _fenced(self, block: Block) -> list[_Found]:
        """The block as a module, with a later end where it holds a fence itself; where its end is not marked, the
        modules between the prose."""
        for code in (block.code, *block.longer):
            module = self._read(code)
            if module is not None:
                return [_Found(module, _warns(block.before, code))] if module.tree.body else []
        if not block.closed:
            return self._in_prose(block.code)
        module = without_prose(legible(block.code), self.reader) if len(block.code) < MAX_PROSE else None
        return [_Found(module, _warns(block.before, block.code))] if module is not None else []

    def _in_prose(self, text: str) -> list[_Found]:
        text = self.labelled.sub(r"\1\n\2", legible(text[-MAX_PROSE:]))
        return [_Found(module, warned=False) for module in modules_in(text, self.reader)]

    def _lifted(self, module: Module) -> Module | None:
        """The module with the method of a class bound to the function's name; the class stays, it may be needed."""
        for statement in reversed(module.tree.body):
            for method in reversed(statement.body if isinstance(statement, ast.ClassDef) else []):
                if isinstance(method, (ast.FunctionDef, ast.AsyncFunctionDef)) and method.name == self.name:
                    assert isinstance(statement, ast.ClassDef)
                    owner = f"{statement.name}()" if _needs_object(method) else statement.name
                    return self.reader.read(f"{module.text.rstrip()}\n\n\n{self.name} = {owner}.{self.name}\n")
        return None

    def _continued(self, text: str) -> Module | None:
        """The text as what comes behind the signature, as completion models give it."""
        header, body = signature_line(self.task), legible(text).strip("\n")
        variants = [body] if body[:1].isspace() else ["    " + body, textwrap.indent(textwrap.dedent(body), "    ")]
        for variant in variants:
            module = first_module(f"{header}\n{variant}\n", self.reader)
            if module is not None and any(answers(s, self.name) for s in module.tree.body):
                return module
        return None

    def _unfit(self, text: str, fences_only: bool) -> str:
        """What is judged where nothing defines the function: text that tries to, else whatever code there is."""
        blocks = _python(text) or ([] if fences_only else [Block("", text, closed=False)])
        for block in reversed(blocks):
            if self.tries.search(block.code):
                return block.code
        for block in reversed(blocks):
            modules = [found.module for found in self._fenced(block)]
            for module in reversed(modules):
                if any(isinstance(statement, DEFINITIONS) for statement in module.tree.body):
                    return module.text
        starts = re.compile(r"^(?:async )?(?:def|class) .*:", re.MULTILINE)
        return next((b.code for b in reversed(blocks) if b.closed or starts.search(b.code)), "")

    # From a module to the program

    def _assembled(self, module: Module, origin: Module, found: Sequence[_Found]) -> str:
        """The module, which is or was made from one of those found, with what it needs from the others and the task."""
        text = without_replacements(module, self.name)
        others = [one.module for one in found if one.module is not origin]
        before = {id(one.module) for one in takewhile(lambda one: one.module is not origin, found)}
        front, behind = _from_others(module, others, self.name, before)
        text = front + text + (f"\n\n{behind}" if behind else "")
        whole = self.reader.read(text)
        missing = unbound(whole.tree) if whole is not None else set()
        lines: list[str] = []
        imports = (line for line in self.task.imports if not line.startswith("from __future__"))
        for line in (*imports, *_typing_imports()):
            if missing and _binds(line) & missing:
                lines.append(line)
                missing -= _binds(line)
        futures = [line for line in self.task.imports if line.startswith("from __future__") and line not in text]
        return _in_front(futures, lines, text, whole)


def _literals(module: Module) -> list[str]:
    """The texts of several lines in a module."""
    nodes = (node for node in ast.walk(module.tree) if isinstance(node, ast.Constant))
    return [node.value for node in nodes if isinstance(node.value, str) and "\n" in node.value]


@lru_cache(maxsize=4)
def _python(text: str) -> list[Block]:
    return [block for block in fenced_blocks(text) if block.language.lower() in FENCE_TAGS]


def _warns(before: str, code: str) -> bool:
    """Whether what is said above a block, or in its first comments, calls it a mistake."""
    first = code.lstrip().split("\n", _FIRST)[:_FIRST]
    warnings = [*filter(_WARNS.search, before.split("\n")), *filter(_CALLED_WRONG.search, first)]
    return any(not _MENDS.search(said) for said in warnings)


def _binds_at_all(tree: ast.Module, name: str) -> bool:
    return any(name in bound(statement) for statement in tree.body)


def _best(found: Sequence[_Found], name: str) -> Module | None:
    """The module whose function counts: the last that is whole and no mistake, else the last that has one at all."""
    defining = [(one, definitions(one.module.tree, name)) for one in found]
    whole = [one for one, made in defining if made and not is_cut_short(made[-1], one.module)]
    for ranked in ([one for one in whole if not one.warned], whole, [one for one, made in defining if made]):
        if ranked:
            return ranked[-1].module
    return None


def _needs_object(method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    marks = {mark.id for mark in method.decorator_list if isinstance(mark, ast.Name)}
    first = [*method.args.posonlyargs, *method.args.args][:1]
    return not marks & {"staticmethod", "classmethod"} and bool(first) and first[0].arg == "self"


def signature_line(task: Task) -> str:
    """The task's signature with its colon."""
    signature = task.signature.strip()
    return signature if signature.endswith(":") else signature + ":"


# One program from several blocks


@dataclass(frozen=True)
class _Statement:
    """A statement at the top level of a module, with the names that it binds and those that it reads."""

    module: Module
    node: ast.stmt
    binds: frozenset[str]
    reads: frozenset[str]


def _statements(module: Module) -> list[_Statement]:
    return [_Statement(module, node, frozenset(bound(node)), frozenset(loaded(node))) for node in module.tree.body]


def _from_others(module: Module, others: Sequence[Module], name: str, before: set[int]) -> tuple[str, str]:
    """What the module needs of the other blocks: definitions in front of it, and behind it what acts on its state.

    Acting on it are statements that use what the function needs, or what changes that, but not the function; of blocks
    further down that define nothing of it, where customs and examples stand, only calls and what registers itself.
    `before` are the ids of the blocks that stand in front of it.
    """
    if not others:
        return "", ""
    own = _statements(module)
    theirs = [s for other in others for s in _statements(other) if name not in s.binds]
    state = _closure({name}, [*own, *theirs]) - {name}
    touching = {n for s in (*own, *theirs) for n in s.binds if s.reads & state and name not in s.reads} - {name} | state
    files = _imported_files(module, {n for s in theirs for n in s.binds})
    homes = before | {id(s.module) for s in theirs if s.binds & {*unbound(module.tree), *files}}
    acts = [s for s in theirs if _acts(s, touching, name, id(s.module) in homes)]
    wanted = _closure({*unbound(module.tree), *files}.union(*(s.reads for s in acts)), theirs)
    taken = [s for s in theirs if s not in acts and s.binds & wanted and not isinstance(s.node, ast.Expr)]
    front, behind = ("".join(s.module.source(s.node) + "\n\n" for s in part) for part in (taken, acts))
    return front, behind + "".join(f"{other} = {own}\n" for own, other in files.items() if own != other)


def _imported_files(module: Module, defined: set[str]) -> dict[str, str]:
    """What the module imports that other blocks define, as other files of the same program, with its name here."""
    imports = (node for node in module.tree.body if isinstance(node, ast.ImportFrom))
    return {a.name: a.asname or a.name for node in imports for a in node.names if a.name in defined}


def _acts(statement: _Statement, touching: set[str], name: str, at_home: bool) -> bool:
    node = statement.node
    if name in statement.reads:
        return False
    if isinstance(node, DEFINITIONS):
        marks = [*node.decorator_list, *(node.bases if isinstance(node, ast.ClassDef) else [])]
        return any(loaded(mark) & touching for mark in marks)
    if isinstance(node, (*IMPORTS, ast.Assert)) or statement.binds & touching or not statement.reads & touching:
        return False
    return at_home or (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
                       and bool(loaded(node.value.func) & touching))


def _closure(wanted: Iterable[str], statements: Sequence[_Statement]) -> set[str]:
    """The names, and those that the statements which bind them read, and so on."""
    binding: dict[str, list[_Statement]] = {}
    for statement in statements:
        for name in statement.binds:
            binding.setdefault(name, []).append(statement)
    known, waiting = set(wanted), list(wanted)
    while waiting:
        for statement in binding.pop(waiting.pop(), ()):
            waiting += statement.reads - known
            known |= statement.reads
    return known


@cache
def _typing_imports() -> tuple[str, ...]:
    return ("import typing", *(f"from typing import {name}" for name in sorted(typing.__all__)))


@cache
def _binds(line: str) -> frozenset[str]:
    module = Reader().read(line)
    return frozenset(n for s in module.tree.body for n in bound(s)) if module is not None else frozenset()


def _in_front(futures: list[str], imports: list[str], text: str, whole: Module | None) -> str:
    """The text with import lines before its first statement, behind `__future__` imports of its own."""
    if not futures and not imports:
        return text
    body = whole.tree.body if whole is not None else []
    own = [s for s in body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    cut = (own[-1].end_lineno or 0) if own else 0
    rows = text.split("\n")
    return "\n".join([*futures, *rows[:cut], *imports, "", *rows[cut:]])
