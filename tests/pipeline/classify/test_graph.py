"""The engine knows no language: here it runs a toy one, whose reader and rules stand in `tests/toy/naming.py`."""

from __future__ import annotations

import pytest

from pipeline.classify.graph import ScopeGraph, Status
from pipeline.languages.scoping import ROOT, Binder, Resume, ScopeRules, Use
from tests.toy.naming import RULES, ToyNaming
from tests.toy.syntax import words


def bound(text: str, rules: ScopeRules = RULES) -> list[str]:
    """Each reference of a toy program, with the places of its definitions among the words, or the status."""
    graph = ScopeGraph(rules)
    ToyNaming().read(text.encode(), graph)
    place = {word.position: number for number, word in enumerate(words(text))}
    found = []
    for reference in graph.references:
        binding = graph.resolve(reference)
        places = ",".join(str(place[graph.definitions[i].position]) for i in binding.definitions)
        found.append(f"{reference.name}:{places if binding.status is Status.BOUND else binding.status.value}")
    return found


@pytest.mark.parametrize(("text", "expected"), [
    ("a= a", ["a:0"]),
    ("a= a= a", ["a:0,1"]),
    ("a", ["a:unresolved"]),
    ("print", ["print:builtin"]),
    ("print= print", ["print:0"]),
    ("a= { a }", ["a:0"]),
    ("a= { a= a }", ["a:2"]),
    ("a= { { a } }", ["a:0"]),
    ("{ a= } a", ["a:unresolved"]),
    ("a= { a a= a }", ["a:0", "a:3"]),
    ("a= { a= { ^a a } a }", ["a:0", "a:2"]),
    ("{ ^a a= } a", ["a:2"]),
    ("a= { *m { a } }", ["a:unsure"]),
    ("*m a= a b", ["a:1", "b:unsure"]),
    ("a= *m a", ["a:unsure"]),
    ("{ a= { b= a } } b", ["a:1", "b:unresolved"]),
])
def test_names_of_a_toy_language_are_resolved_by_its_rules(text, expected):
    assert bound(text) == expected


def test_the_same_text_under_other_rules_is_bound_otherwise():
    text = "a= { a= { a } }"
    assert bound(text) == ["a:2"]
    assert bound(text, ScopeRules(root="file", closed=frozenset({"block"}))) == ["a:0"]


def test_transparent_scopes_do_not_count_as_nested():
    graph = ScopeGraph(ScopeRules("file", closed=frozenset({"class"}), transparent=frozenset({"types"})))
    outer = graph.scope("class", ROOT)
    graph.define(outer, Binder("a", "variable", 0))
    through = graph.references[graph.refer(graph.scope("types", outer), Use("a", 1))]
    nested = graph.references[graph.refer(graph.scope("function", outer), Use("a", 2))]
    assert graph.resolve(through).status is Status.BOUND
    assert graph.resolve(nested).status is Status.UNRESOLVED


def test_an_ordered_scope_may_hand_over_to_the_root():
    graph = ScopeGraph(ScopeRules("file", ordered={"class": Resume.ROOT}))
    graph.define(ROOT, Binder("a", "variable", 0))
    function = graph.scope("function", ROOT)
    graph.define(function, Binder("a", "variable", 1))
    inner = graph.scope("class", function)
    reference = graph.references[graph.refer(inner, Use("a", 2))]
    graph.define(inner, Binder("a", "variable", 3))
    assert [graph.definitions[i].position for i in graph.resolve(reference).definitions] == [0]


def test_lifted_definitions_leave_their_scope():
    graph = ScopeGraph(ScopeRules("file", lifted={"walrus": frozenset({"comprehension"})}))
    inner = graph.scope("comprehension", graph.scope("comprehension", ROOT))
    graph.define(inner, Binder("a", "walrus", 0))
    graph.define(inner, Binder("b", "loop variable", 1))
    assert [d.scope for d in graph.definitions] == [ROOT, inner]


def test_the_four_kinds_of_edges():
    graph = ScopeGraph(RULES)
    ToyNaming().read(b"a= { a b }", graph)
    assert [(e.kind, e.start, e.end) for e in graph.edges()] == [
        ("hierarchy", 0, 1), ("definition", 0, 0), ("reference", 1, 0), ("binding", 0, 0), ("reference", 1, 1),
    ]


def test_lines_are_counted_from_one():
    graph = ScopeGraph(RULES, b"a\nb\n\nc")
    assert [graph.line(position) for position in (0, 1, 2, 3, 4, 5)] == [1, 1, 2, 2, 3, 4]
