"""Operators that mislead whoever reads names and comments in place of the code."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.draft import Draft
from pipeline.transforms.preserving.kinds import NUMBERS, KindsOf
from pipeline.transforms.preserving.layout import beginnings, with_lines
from pipeline.transforms.preserving.names import Renaming
from pipeline.transforms.preserving.words import words

_MADE = {
    ast.List: "list", ast.ListComp: "list", ast.Dict: "table", ast.DictComp: "table", ast.JoinedStr: "text",
}  # fmt: skip
_NAMED = {
    **dict.fromkeys(["list", "List", "tuple", "set", "sorted", "Sequence", "Iterable"], "list"),
    **dict.fromkeys(["dict", "Dict", "Mapping", "defaultdict", "Counter"], "table"),
    "int": "number", "float": "number", "str": "text", "bool": "truth",
}  # fmt: skip


class MisleadingNames(Renaming):
    """Variables get names of other roles, such as `total` for a list."""

    name = "MisleadingNames"

    def names_for(self, draft: Draft, old: Sequence[str], taken: set[str]) -> Iterator[str]:
        """Words for something else, numbered where all are taken."""
        roles, lists = _roles(draft), words("misleading")["names"]
        for variable in old:
            others = [word for role, some in lists.items() if role != roles.get(variable) for word in some]
            word = stem = draft.random.choice([one for one in others if one not in taken] or others)
            number = 1
            while word in taken:
                number += 1
                word = f"{stem}{number}"
            taken.add(word)
            yield word


def _roles(draft: Draft) -> dict[str, str]:
    """What variables are for, as far as their first value or their annotation tells."""
    found: dict[str, str] = {}
    for node in walk(draft.function):
        if isinstance(node, ast.arg) and node.annotation is not None:
            found.setdefault(node.arg, _role(node.annotation))
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, _role(node.value))
    kinds = KindsOf(draft.function, draft.tree)
    for name in {node.id for node in walk(draft.function) if isinstance(node, ast.Name)}:
        known = kinds.of(ast.Name(name, ast.Load()))
        if known:
            found[name] = "truth" if known == {"bool"} else "number" if known <= NUMBERS else "text"
    return found


def _role(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Subscript):
        node = node.value
    return _MADE.get(type(node)) or _NAMED.get(getattr(node, "id", ""), "")


class MisleadingComments:
    """A comment before each statement that says something false of it."""

    name = "MisleadingComments"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many statements there are."""
        return len(beginnings(draft))

    def write(self, draft: Draft) -> str:
        """The text with the comments."""
        comments = words("misleading")["comments"]
        added = {}
        for line, node, _ in draft.chosen(beginnings(draft)):
            some = comments.get(type(node).__name__, comments["other"])
            added[line] = f"# {draft.random.choice(some)}"
        return with_lines(draft.source, added)


class MisleadingHints:
    """A hint at the answer before each `return` that says something false of it."""

    name = "MisleadingHints"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many `return` there are."""
        return len(_returns(draft))

    def write(self, draft: Draft) -> str:
        """The text with the hints, all of them different where there are enough."""
        chosen = draft.chosen(_returns(draft))
        lines = words("misleading")["hints"]["lines"]
        drawn = draft.random.sample(lines, len(lines))
        return with_lines(draft.source, {line: f"# {drawn[n % len(drawn)]}" for n, line in enumerate(chosen)})


def _returns(draft: Draft) -> list[int]:
    return [line for line, node, _ in beginnings(draft) if isinstance(node, ast.Return)]
