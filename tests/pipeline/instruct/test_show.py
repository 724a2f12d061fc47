"""Calls as examples write them."""

from __future__ import annotations

import ast

from harness.records import Answer, Case
from harness.values.expressions import Names
from pipeline.instruct.show import call


def test_arguments_that_are_named_like_keywords_are_written_as_a_dictionary() -> None:
    case = Case((1,), {"size": 2, "and": "x"}, Answer("returned", 3))
    shown = call("f", case, Names.of(()))
    assert shown == "f(1, size=2, **{'and': 'x'})"
    ast.parse(shown)
