"""What a part of a body works on, in words of the parameters: "each line of `text`", "the keys of `options`"."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from pipeline.languages.python.bound_names import bound
from pipeline.languages.python.facts import Facts

MAX_DEPTH = 3
_SPLITS = {"split", "rsplit"}


class Phrases:
    """Puts the operands of one function into words; "" where they are beyond them."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def of(self, node: ast.expr, depth: int = MAX_DEPTH) -> str:
        """An operand in words."""
        if depth == 0:
            return ""
        if isinstance(node, ast.Name):
            return self._name(node.id, depth)
        if isinstance(node, ast.Call):
            return self._call(node, depth)
        key = node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else None
        if isinstance(node, ast.Subscript) and isinstance(key, str):
            inner = self.of(node.value, depth - 1)
            return f"what {inner} has under {key!r}" if inner else ""
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice) and node.slice.step is None:
            return self._slice(node.value, node.slice, depth)
        return ""

    def _slice(self, whole: ast.expr, part: ast.Slice, depth: int) -> str:
        """A beginning or an end of something, by a constant number."""
        inner = self.of(whole, depth - 1)
        bound_ = part.upper if part.lower is None else part.lower if part.upper is None else None
        if not inner or not isinstance(bound_, ast.Constant) or not isinstance(bound_.value, int):
            return ""
        number = bound_.value
        rest = f"{inner} without its first {elements(number)}"
        return rest if part.upper is None else f"the first {number} of {inner}"

    def _name(self, name: str, depth: int) -> str:
        source = self.sources.get(name)
        if source is None:
            return f"`{name}`" if name in self._parameters and name not in self._assigned else ""
        kind, node = source
        if kind == "value":
            return self.of(node, depth)
        if kind in _SIDES and isinstance(node, ast.Call):
            return self._side(kind, node, depth)
        inner = self.of(node, depth - 1)
        return _each(inner) if inner else ""

    def _side(self, kind: str, node: ast.Call, depth: int) -> str:
        """One of the sides that `partition` gives."""
        assert isinstance(node.func, ast.Attribute), "it is a method"
        inner, sign = self.of(node.func.value, depth - 1), node.args[0]
        which = "first" if node.func.attr == "partition" else "last"
        plain = isinstance(sign, ast.Constant) and kind != "separator"
        return f"what stands {kind} the {which} {ast.unparse(sign)} in {inner}" if inner and plain else ""

    def _call(self, node: ast.Call, depth: int) -> str:
        if isinstance(node.func, ast.Name) and node.func.id == "str" and len(node.args) == 1:
            inner = self.of(node.args[0], depth - 1)
            return f"the text of {inner}" if inner else ""
        if not isinstance(node.func, ast.Attribute):
            return ""
        inner, method = self.of(node.func.value, depth - 1), node.func.attr
        if not inner:
            return ""
        if method in FORMS and not node.args:
            return f"{inner} {FORMS[method]}"
        if method == "splitlines" or (method == "split" and _is_text(node, "\n")):
            return f"the lines of {inner}"
        if method in _SPLITS and not node.args and not node.keywords:
            return f"the words of {inner}"
        if method in _SPLITS and len(node.args) == 1 and isinstance(node.args[0], ast.Constant):
            return f"the parts of {inner} between {node.args[0].value!r}"
        if method == "get" and node.args and isinstance(node.args[0], ast.Constant):
            return f"what {inner} has under {node.args[0].value!r}"
        return {"keys": f"the keys of {inner}", "values": f"the values of {inner}"}.get(method, "")

    @cached_property
    def _parameters(self) -> frozenset[str]:
        return frozenset(parameter.name for parameter in self.facts.parameters)

    @cached_property
    def _assigned(self) -> frozenset[str]:
        """Names that get a value in the body."""
        return frozenset(
            node.id for node in self.facts.nodes if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load))

    @cached_property
    def sources(self) -> dict[str, tuple[str, ast.expr]]:
        """Names that get one value, once: from an assignment, or element by element from a loop."""
        found: dict[str, list[tuple[str, ast.expr]]] = {}
        for node in self.facts.nodes:
            if isinstance(node, (ast.For, ast.comprehension)):
                kind = "element" if isinstance(node.target, ast.Name) else "other"
                for name in bound(node.target):
                    found.setdefault(name, []).append((kind, node.iter))
            elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    for name, kind in _targets(target, node.value):
                        found.setdefault(name, []).append((kind, node.value))
            elif isinstance(node, (ast.AugAssign, ast.NamedExpr, ast.withitem)):
                for name in bound(node):
                    found.setdefault(name, []).append(("other", ast.Constant(None)))
        once = {name: each[0] for name, each in found.items() if len(each) == 1 and name not in self._parameters}
        return {name: source for name, source in once.items() if source[0] != "other"}


_SIDES = ("before", "separator", "behind")


def elements(count: int | str) -> str:
    """So many elements, as one says it."""
    return f"{count} element" + ("" if count == 1 else "s")


def _targets(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, str]]:
    """The names that an assignment binds, with what they stand for."""
    method = value.func.attr if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else ""
    if isinstance(target, ast.Tuple) and method in ("partition", "rpartition") and len(target.elts) == len(_SIDES):
        named = [(part.id, side) for part, side in zip(target.elts, _SIDES, strict=True) if isinstance(part, ast.Name)]
        counts = Counter(name for name, _ in named)
        yield from ((name, side) for name, side in named if counts[name] == 1)
        return
    for name in bound(target):
        yield name, "value" if isinstance(target, ast.Name) else "other"


TESTS = {
    "isdigit": "consists of digits", "isalpha": "consists of letters", "isalnum": "consists of letters and digits",
    "isspace": "is only whitespace", "isupper": "is in upper case", "islower": "is in lower case",
    "isidentifier": "is an identifier", "isnumeric": "is numeric", "isdecimal": "consists of decimal digits",
}
FORMS = {
    "strip": "without whitespace around it", "lstrip": "without leading whitespace", "lower": "in lower case",
    "rstrip": "without trailing whitespace", "upper": "in upper case", "casefold": "case-folded",
}


def _each(phrase: str) -> str:
    """One of several: "the lines of x" becomes "each line of x"."""
    for plural in ("lines", "words", "parts", "keys", "values"):
        if phrase.startswith(f"the {plural} of "):
            return f"each {plural[:-1]}{phrase.removeprefix(f'the {plural}')}"
    return f"each element of {phrase}"


def _is_text(node: ast.Call, text: str) -> bool:
    return len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and node.args[0].value == text
