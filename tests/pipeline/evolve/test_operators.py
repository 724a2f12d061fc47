"""Operators apply where they say, and nothing that they make answers otherwise; the cases say where that is."""

from __future__ import annotations

import ast
from random import Random

import pytest

from harness.errors import UserError
from pipeline.evolve.genome import Gene, Soil, crossed, mutated
from pipeline.transforms.preserving.draft import Inapplicable
from pipeline.transforms.preserving.evolving.growing import Growing
from pipeline.transforms.preserving.evolving.registry import EVOLVERS, Limits, evolvers_named, limits
from tests.pipeline.evolve.cases import Case, cases, facts_of, outcomes

EVERY = list(cases())
IDS = [f"{number}-{case.name}" for number, case in enumerate(EVERY)]
ELSEWHERE = {"A2"}
"""What needs a library that only the runtime has: it runs in the sandbox alone."""


def soil_of(case: Case) -> Soil:
    return Soil(case.program, case.name, facts_of(case), tuple(EVOLVERS), limits().of(0))


@pytest.mark.parametrize("case", EVERY, ids=IDS)
def test_places_are_those_that_the_case_tells(case: Case) -> None:
    program = Growing.first(case.program, case.name, facts_of(case))
    counts = {code: len({site.origin for site in one.sites(program)}) for code, one in EVOLVERS.items()}
    assert {code: count for code, count in counts.items() if count} == case.sites


@pytest.mark.parametrize("case", EVERY, ids=IDS)
def test_each_place_keeps_every_answer(case: Case) -> None:
    soil, before = soil_of(case), outcomes(case.program, case.name, case.calls)
    for code, sites in soil.sites().items():
        for site in sites:
            made = soil.evolved((Gene(code, site, 3),))
            assert made.genome, (code, site)
            if code not in ELSEWHERE:
                assert outcomes(made.program, case.name, case.calls) == before, made.program


@pytest.mark.parametrize("case", EVERY[::4], ids=IDS[::4])
def test_chains_keep_every_answer(case: Case) -> None:
    soil, random = soil_of(case), Random(case.name)
    genome: tuple[Gene, ...] = ()
    for _ in range(12):
        gene = soil.proposed(genome, random)
        if gene is not None and gene.code not in ELSEWHERE:
            genome = soil.evolved((*genome, gene)).genome
    assert len(genome) > 1
    assert outcomes(soil.evolved(genome).program, case.name, case.calls) == \
        outcomes(case.program, case.name, case.calls)


def test_every_operator_has_a_place_and_is_refused_eight_times() -> None:
    for code in set(EVOLVERS) - {"S7", "N2"}:
        assert any(code in case.sites for case in EVERY), code
        assert sum(code not in case.sites for case in EVERY) >= (0 if code in ("S8", "S5", "N1") else 8), code


HELPED = '''
import re

WIDTH = 12


def clean(text):
    text = text.strip()
    return re.sub(" +", " ", text)[:WIDTH]


def joined(parts):
    found = []
    for part in parts:
        found.append(clean(part))
    return "-".join(found)
'''


def test_helpers_move_into_a_module_with_what_they_need() -> None:
    soil = Soil(HELPED, "joined", Growing.first(HELPED, "joined").facts, tuple(EVOLVERS), limits().of(0))
    made = soil.evolved(tuple(Gene("S7", site, 1) for site in soil.sites()["S7"]))
    (_, main), (name, module) = made.modules
    assert f"from {name} import clean" in main
    assert "WIDTH" not in main and "import re" not in main and "import re" in module and "WIDTH = 12" in module
    assert outcomes(made.program, "joined", ((["a  b ", "c" * 20],),)) == [
        ("returned", "'a b-cccccccccccc'", "(['a  b ', 'cccccccccccccccccccc'],)")]
    assert made.complexity.c6 == 1


def test_helpers_are_renamed_in_all_modules() -> None:
    text = HELPED.replace("clean(", "strip_spaces(")
    soil = Soil(text, "joined", Growing.first(text, "joined").facts, tuple(EVOLVERS), limits().of(0))
    sites = soil.sites()
    made = soil.evolved((Gene("S7", sites["S7"][0], 1), Gene("N2", sites["N2"][0], 2)))
    assert [gene.code for gene in made.genome] == ["S7", "N2"]
    assert all("strip_spaces" not in text and "trim_spaces(" in text for _, text in made.modules)
    assert outcomes(made.program, "joined", ((["a"],),)) == [("returned", "'a'", "(['a'],)")]


LOOPING = HELPED.replace("found.append", "if not part:\n            continue\n        found.append")


def test_what_is_rare_is_for_some_programs_alone() -> None:
    facts = Growing.first(LOOPING, "joined").facts
    seen = {}
    for seed in (0, 1):
        bounds = limits().of(seed)
        soil, random = Soil(LOOPING, "joined", facts, tuple(EVOLVERS), bounds), Random(seed)
        genes = [soil.proposed((), random) for _ in range(400)]
        seen[seed] = {(gene.code, gene.site.way) for gene in genes if gene is not None}
        assert not any(bounds.is_rare(*one) for one in seen[seed])
    assert seen[1] < seen[0] and {code for code, _ in seen[1]} >= {"S8", "S7"}
    assert {code for code, _ in seen[0]} >= {"S1", "S4", "A1"}
    assert ("S8", "slight") in seen[0] and ("S8", "") in seen[1] and ("S8", "slight") not in seen[1]


def test_a_decorator_is_taken_from_the_module_that_has_it_and_each_module_has_a_logger() -> None:
    soil = Soil(LOOPING, "joined", Growing.first(LOOPING, "joined").facts, tuple(EVOLVERS), limits().of(0))
    first, second = soil.sites()["S8"]
    made = soil.evolved((Gene("S8", first, 1), Gene("S7", soil.sites()["S7"][0], 1), Gene("S8", second, 1)))
    (_, main), (_, module) = made.modules
    [name] = [node.name for node in ast.parse(module).body if isinstance(node, ast.FunctionDef) and "wraps" in
              ast.unparse(node)]
    assert f"@{name}\ndef clean" in module and f"@{name}\ndef joined" in main and "getLogger" not in main
    assert f"def {name}" not in main
    assert outcomes(made.program, "joined", ((["a", ""],),)) == outcomes(LOOPING, "joined", ((["a", ""],),))


def test_types_are_told_where_they_can_be_read() -> None:
    text = "def f(rows: list, few: int) -> int:\n    longest_rows: Nobody = sorted(rows)[: few * 2 + len(rows) - 1]\n" \
           "    half_length: int = len(rows) // 2 + few * few - max(rows)\n    return half_length + len(longest_rows)\n"
    calls = (([3, 1, 2], 1), ([5], 0))
    facts = facts_of(Case("f", text, calls, {}))
    soil = Soil(text, "f", facts, ("S6",), limits().of(0))
    made = [soil.evolved((Gene("S6", site, 1),)) for site in soil.sites()["S6"]]
    assert made and all(outcomes(one.program, "f", calls) == outcomes(text, "f", calls) for one in made)
    heads = [one.main.split("\n")[0] for one in made]
    assert any("rows: list" in head and "few: int" in head and head.endswith("-> int:") for head in heads), heads


def test_a_handler_is_about_what_may_fail() -> None:
    text = "def f(texts):\n    total = 0\n    for text in texts:\n        total += int(text)\n    return total\n"
    soil = Soil(text, "f", Growing.first(text, "f").facts, ("S5",), limits())
    [site] = soil.sites()["S5"]
    made = soil.evolved((Gene("S5", site, 1),))
    [handled] = [node for node in ast.walk(ast.parse(made.main)) if isinstance(node, ast.Try)]
    assert ast.unparse(handled.body[0]) == "total += int(text)" and ast.unparse(handled.handlers[0].type or handled) == \
        "ValueError" and isinstance(handled.handlers[0].body[-1], ast.Raise)
    assert outcomes(made.program, "f", ((["1", "x"],), ([],))) == outcomes(text, "f", ((["1", "x"],), ([],)))


@pytest.mark.parametrize("helper", [
    "def clean(text):\n    return joined([]) or text\n",
    "def clean(text):\n    global SEEN\n    SEEN = text\n    return SEEN\nSEEN = 1\n",
    "class Box:\n    pass\ndef clean(text):\n    made = Box()\n    return text\n",
    "if WIDTH:\n    FEW = 1\nelse:\n    FEW = 2\ndef clean(text):\n    few = FEW\n    return text\n",
])
def test_what_can_not_move_stays(helper: str) -> None:
    text = f"WIDTH = 3\n{helper}\ndef joined(parts):\n    return clean(parts)\n"
    soil = Soil(text, "joined", Growing.first(text, "joined").facts, tuple(EVOLVERS), limits().of(0))
    assert not soil.sites()["S7"]


def test_what_only_grows_is_given_to_a_function_that_is_cut_out() -> None:
    text = "def f(rows, text):\n    total = 0\n    for row in rows:\n        total = row * 2\n    if total > 2:\n" \
           "        text += 'b'\n        total = total + len(rows)\n    return total\n"
    soil = Soil(text, "f", Growing.first(text, "f").facts, ("S6",), limits().of(0))
    calls = (([1, 2], "a"), ([], ""))
    for site in soil.sites()["S6"]:
        made = soil.evolved((Gene("S6", site, 1),))
        assert made.genome and outcomes(made.program, "f", calls) == outcomes(text, "f", calls), made.program


def test_helpers_that_nobody_calls_stay() -> None:
    text = "def clean(text):\n    text = text.strip()\n    return text\n\ndef joined(parts):\n    return len(parts)\n"
    assert not Soil(text, "joined", Growing.first(text, "joined").facts, tuple(EVOLVERS), limits().of(0)).sites()["S7"]


@pytest.mark.parametrize("text", [
    "def f(a):\n    return eval('a')\n", "def f(a):\n    return locals()\n", "def f(a):\n    return f.__name__\n",
])
def test_programs_that_look_at_themselves_are_left_alone(text: str) -> None:
    with pytest.raises(Inapplicable):
        Growing.first(text, "f")


@pytest.mark.parametrize(("condition", "guards"), [
    ("flag or a > 3", {"known flag"}), ("a is None or flag", {"constant"}), ("not flag", {"known flag"}),
])
def test_guards_are_variables_that_were_never_none_whenever_the_condition_is_asked(
    condition: str, guards: set[str]
) -> None:
    text = f"def f(flag, a):\n    if {condition}:\n        found = 1\n    else:\n        found = 2\n    return found\n"
    case = Case("f", text, ((True, None), (False, 4), (False, 0)), {})
    program = Growing.first(text, "f", facts_of(case))
    assert {site.way for site in EVOLVERS["S2"].sites(program)} == guards


def test_genes_that_do_not_apply_are_dropped_and_replay_is_the_same() -> None:
    case = next(one for one in EVERY if one.name == "guards_of_kinds")
    soil, again = soil_of(case), soil_of(case)
    site = soil.sites()["S1"][0]
    twice = (Gene("S1", site, 1), Gene("S3", site, 1), Gene("S1", site, 2), Gene("N1", soil.sites()["N1"][0], 5))
    made = soil.evolved(twice)
    assert [gene.code for gene in made.genome] == ["S1", "N1"]
    assert again.evolved(twice) == made


def test_names_that_operators_bring_are_given_once() -> None:
    text = "def f(a):\n    return (a + 3, a + 128, a + 12)\n"
    soil = soil_of(Case("f", text, ((1,),), {}))
    sites = [(code, site) for code, found in soil.sites().items() if code in ("A3", "A6") for site in found]
    pairs = [(one, other) for one in sites for other in sites if one[0] != other[0] and one[1].origin != other[1].origin]
    assert pairs
    for seed in range(6):
        for pair in pairs:
            made = soil.evolved(tuple(Gene(code, site, seed + place) for place, (code, site) in enumerate(pair)))
            names = [one.targets[0].id for one in ast.parse(made.main).body if isinstance(one, ast.Assign)]
            assert len(made.genome) == 2 and len(names) == len(set(names)), made.main


def test_crossing_and_mutating_gives_programs_within_the_limits() -> None:
    case = next(one for one in EVERY if one.name == "guards_of_kinds")
    soil, random = soil_of(case), Random(1)
    parents = [(), ()]
    for _ in range(60):
        child = mutated(crossed(*random.sample(parents, 2), random), soil, random)
        parents.append(soil.evolved(child).genome)
    for genome in parents:
        used = [gene.code for gene in genome]
        assert all(used.count(code) <= limits().each[code] for code in used)
        assert sum(code.startswith("A") for code in used) <= limits().libraries


def test_limits_count_libraries_together() -> None:
    some = Limits({"A1": 1, "A2": 1, "S1": 2}, 1)
    assert some.allow({}, "A1") and not some.allow({"A2": 1}, "A1") and some.allow({"A2": 1, "S1": 1}, "S1")
    assert not some.allow({"S1": 2}, "S1")


def test_an_unknown_operator_is_told_with_the_nearest() -> None:
    with pytest.raises(UserError, match=r"no operator 'S13'.*name some of S1, S2"):
        evolvers_named(["S13"])
