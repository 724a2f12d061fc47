"""Operators that add code which does nothing, or is never reached."""

from __future__ import annotations

import ast

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.branches import never
from pipeline.transforms.preserving.draft import Draft, stored_names
from pipeline.transforms.preserving.places import Block, assign, blocks
from pipeline.transforms.preserving.reflection import check_names
from pipeline.transforms.preserving.words import words


class _Adding:
    """Adds one statement to blocks of the function, before a statement of theirs that is drawn."""

    name = ""
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many blocks there are; raises `Inapplicable` where variables are looked at."""
        check_names(draft)
        return len(list(blocks(draft.function)))

    def apply(self, draft: Draft) -> None:
        """Add a statement to each."""
        for block in draft.chosen(list(blocks(draft.function))):
            block.insert(draft.random.randrange(len(block)), self.added(draft))

    def added(self, draft: Draft) -> ast.stmt:
        """The statement, on names that nothing else has."""
        raise NotImplementedError


class DeadStore(_Adding):
    """A name that nobody reads gets a constant or an empty list, once in each block of statements."""

    name = "DeadStore"

    def added(self, draft: Draft) -> ast.stmt:
        """The assignment."""
        lists = words("dead_code")
        value = ast.parse(draft.random.choice(lists["values"]), mode="eval").body
        return assign(draft.fresh(draft.random.choice(lists["names"])), value)


class DeadBranch(_Adding):
    """An `if` that is never true, with statements on names of its own, once in each block of statements."""

    name = "DeadBranch"

    def added(self, draft: Draft) -> ast.stmt:
        """The `if`."""
        return ast.If(never(draft.random), _body(draft), [])


def _body(draft: Draft) -> Block:
    body = ast.parse(draft.random.choice(words("dead_code")["bodies"]))
    new = {old: draft.fresh(old) for old in sorted(stored_names(body))}
    for node in walk(body):
        if isinstance(node, ast.Name):
            node.id = new[node.id]
    return list(body.body)
