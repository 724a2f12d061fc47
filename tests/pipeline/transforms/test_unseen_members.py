"""What only makes the text of an exception is shown by no answer."""

import ast

import pytest

from pipeline.transforms.altering.members import members_of
from pipeline.transforms.altering.mutants import mutants
from pipeline.transforms.altering.sites import find
from pipeline.transforms.altering.unseen_members import unseen_members

TEXT = """
class Odd(ValueError):
    def __init__(self, x):
        super().__init__(words(x) + "!")

class Odder(Odd):
    def told(self):
        return "odder"

class Plain:
    def told(self):
        return "plain"

def words(x):
    return "odd: " + str(x)

def message(x):
    return words(x) + "."

def half(x):
    if x % 2:
        raise Odd(message(x))
    return x // 2

def f(x):
    LAST
"""


def unseen(last: str) -> set[str]:
    tree = ast.parse(TEXT.replace("LAST", last))
    entry = find(tree, "f")
    assert entry is not None
    return set(unseen_members(tree, members_of(tree, entry)))


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        ("return half(x)", {"words", "message", "Odd.__init__", "Odder.told"}),
        ("return half(x) + len(message(x))", {"Odd.__init__", "Odder.told"}),
        ("return [message] and half(x)", {"Odd.__init__", "Odder.told"}),
        ("try:\n        return half(x)\n    except Odd as odd:\n        return str(odd)", set()),
        ("try:\n        return half(x)\n    except Odd:\n        return 0",
         {"words", "message", "Odd.__init__", "Odder.told"}),
    ],
)  # fmt: skip
def test_members_behind_exceptions_are_unseen_unless_something_reads_them(last: str, expected: set[str]) -> None:
    assert unseen(last) == expected


def test_they_have_no_mutants() -> None:
    assert {one.member for one in mutants(TEXT.replace("LAST", "return half(x)"), "f")} == {"Plain.told", "half", ""}
