"""Each strategy on a small task: what it changes, what it leaves, what can be judged; and settings that can't be met."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.languages import Machine
from harness.records import Frame, PromptVariant, Task
from harness.scoring.judging import judge_all
from harness.variants import Change, derive, variant
from pipeline.config import VaryConfig
from pipeline.records import Reason
from pipeline.rewording.asked import BY_RULES, USUAL, reword
from pipeline.rewording.edits import applied
from pipeline.rewording.parts import Kind, parts_of
from pipeline.rewording.protected import words_of
from pipeline.rewording.words import protected, real
from tests.harness.make_release import make_tasks

ROOT = Path(__file__).parents[3]
NAMES = ("function_typo", "variable_typo", "function_synonym", "variable_synonym", "camel_case")


def rows(task: Task, *strategies: str, **settings: object) -> list[PromptVariant]:
    return reword(task, VaryConfig(strategies=strategies, **settings))  # type: ignore[arg-type]


EXTENDED_WORDS = ("repeated_word", "repeated_letter", "lost_determiner", "lost_preposition")


def asked(task: Task, row: PromptVariant) -> Task:
    """The task that a row stands for."""
    change = Change(row.entry_point, row.signature, row.instruction, row.reference, tuple(row.renames.items()), row.scored)
    return derive(task, variant(task, row.strategy, change, row.seed))


def said(text: str) -> list[str]:
    return [word.lower for word in words_of(parts_of(text))]


@pytest.fixture(scope="module")
def every(join: Task) -> list[PromptVariant]:
    return rows(join, *BY_RULES)


def test_all_strategies_make_variants_in_order(every: Sequence[PromptVariant]) -> None:
    assert [(row.strategy, row.number) for row in every] == sorted((row.strategy, row.number) for row in every)
    assert {row.strategy for row in every if not row.reason} == set(BY_RULES) and set(USUAL) < set(BY_RULES)
    assert len({row.variant_id for row in every}) == len(every)
    assert all(re.fullmatch("c2v-[0-9a-f]{16}", row.variant_id) for row in every)


def test_edits_lead_from_the_first_text_to_each_variant(join: Task, every: Sequence[PromptVariant]) -> None:
    for row in every:
        assert applied(join.instruction, row.edits) == (row.instruction or join.instruction)
        assert 0 <= row.similarity <= 1 and (row.similarity == 1) == (not row.edits or row.strategy == "extra_space")
        ast.parse(row.instruction)


def test_no_variant_is_the_first_text_or_another_variant_but_controls(join: Task, every: Sequence[PromptVariant]) -> None:
    control = [row for row in every if row.strategy == "control"]
    assert len(control) == 3 and all(not row.instruction and not row.edits for row in control)
    for name in set(BY_RULES) - {"control"}:
        texts = [row.instruction for row in every if row.strategy == name]
        assert len(set(texts)) == len(texts) and join.instruction not in texts


def test_no_variant_scores_what_one_of_them_shows(join: Task, every: Sequence[PromptVariant]) -> None:
    assert len({row.scored for row in every}) == 1
    shown = {number for row in every for number in row.shown}
    assert shown.isdisjoint(every[0].scored) and shown | set(every[0].scored) == set(range(len(join.cases)))
    assert 2 * len(every[0].scored) >= len(join.cases) and {0} < shown


def test_what_is_shown_stands_in_the_text(join: Task, every: Sequence[PromptVariant]) -> None:
    for row in every:
        if row.strategy.startswith("example"):
            blocks = parts_of(row.instruction).of(Kind.EXAMPLE)
            assert len(blocks) == len(row.shown), row.instruction
    inserted = [row for row in every if row.strategy == "example_insertion"]
    assert [len(row.shown) for row in inserted] == [row.number + 2 for row in inserted] and len(inserted) >= 5
    assert {row.information for row in inserted} == {"more"}
    removed = [row for row in every if row.strategy == "example_removal"]
    assert [len(row.shown) for row in removed] == [0, 1, 1] and "Examples" not in removed[0].instruction
    assert removed[0].instruction.endswith("max_length is negative.\n    \"\"\"\n")


def test_typos_and_synonyms_leave_protected_words(join: Task, every: Sequence[PromptVariant]) -> None:
    kept = Counter(word for word in said(join.instruction) if word in protected())
    for row in every:
        if row.strategy in ("description_typo", "description_synonym", "neighbour_swap", "extra_space"):
            assert Counter(word for word in said(row.instruction) if word in protected()) == kept
            assert "`a b`" in row.instruction and "`max_length`" in row.instruction
            head = join.instruction.partition('"""')[0]
            assert row.instruction.startswith(head)
            assert row.instruction.partition("Examples:")[2] == join.instruction.partition("Examples:")[2]


def test_words_are_said_twice_drawn_out_or_lost(join: Task) -> None:
    edits = {name: [edit for row in rows(join, name) for edit in row.edits] for name in EXTENDED_WORDS}
    assert all(edits.values())
    assert {one.before for one in edits["repeated_word"]} == {""} and all(one.after.strip() in join.instruction for one in edits["repeated_word"])
    for one in edits["repeated_letter"]:
        assert len(one.after) == len(one.before) + 2 and re.search(r"(.)\1\1", one.after) and one.after.lower() not in real()
    assert {one.before.strip().lower() for one in edits["lost_determiner"]} <= {"a", "an", "the"}
    assert {one.after for name in ("lost_determiner", "lost_preposition") for one in edits[name]} == {""}
    assert {row.meaning for row in rows(join, "lost_preposition")} == {"unchecked"}


def test_the_first_verb_has_other_forms(join: Task) -> None:
    assert [row.edits[0].after for row in rows(join, "tense")] == ["Collected", "Will collect", "Collecting"]
    assert [row.edits[0].after for row in rows(join, "person")] == ["Collects", "It collects"]


def test_a_typo_in_the_prose_is_one_letter_in_a_share_of_the_words(join: Task) -> None:
    few, many = rows(join, "description_typo", rate=0.1), rows(join, "description_typo", rate=1.0)
    assert len(few) == 10 and {row.rate for row in few} == {0.1}
    assert len(few[0].edits) < len(many[0].edits) and few[0].information == "same" and few[0].meaning == "rules"
    for edit in (edit for row in (*few, *many) for edit in row.edits):
        assert edit.after.lower() not in real() and abs(len(edit.after) - len(edit.before)) <= 1
    assert all(len(e.after) == len(e.before) for row in few[5:] for e in row.edits)


@pytest.mark.parametrize("strategy", NAMES)
def test_another_name_stands_everywhere(join: Task, strategy: str) -> None:
    made = rows(join, strategy)
    assert made and not made[0].reason
    for row in made:
        function = ast.parse(row.instruction).body[-1]
        assert isinstance(function, ast.FunctionDef)
        assert function.name == (row.entry_point or join.entry_point)
        [old], [new] = ([*row.renames] or [join.entry_point]), ([*row.renames.values()] or [row.entry_point])
        assert new.isidentifier() and new in row.signature and not re.search(rf"\b{old}\b", row.signature)
        if "_" in old:
            assert not re.search(rf"\b{old}\b", re.sub(r'".*?"', "", row.instruction.replace('"""', "")))
        assert {edit.before for edit in row.edits} == {old} and {edit.after for edit in row.edits} == {new}


def test_typos_go_through_the_parameters_in_turn(join: Task) -> None:
    made = rows(join, "variable_typo")
    assert [*made[0].renames, *made[1].renames, *made[2].renames, *made[3].renames] == ["words", "separator", "max_length", "words"]


def test_renamed_references_answer_their_cases_and_doctests_hold(join: Task, machine: Machine) -> None:
    made = [asked(join, row) for row in rows(join, *NAMES)]
    assert {name for task in made for case in task.cases for name in case.kwargs} > {"max_length"}
    verdicts = judge_all([(task, task.reference) for task in made], machine, 2, tasks=made)
    assert all(one.perfect for one in verdicts)
    for task in made:
        calls = parts_of(task.instruction).of(Kind.EXAMPLE)
        space: dict[str, object] = {}
        exec(task.reference, space)
        for part in calls:
            called, wanted = (line.strip() for line in part.text.strip().splitlines())
            assert repr(eval(called.removeprefix(">>> "), space)) == wanted


def test_names_that_given_code_calls_stay(join: Task) -> None:
    task = replace(join, given=Frame("def twice(words):\n    return join_words(words) * 2\n\n\n"))
    for row in rows(task, "function_typo", "variable_synonym"):
        assert Reason[row.reason.upper()] is Reason.UNSUPPORTED_SYNTAX and "calls join_words" in row.evidence


def test_programs_that_look_at_their_names_keep_them(join: Task) -> None:
    task = replace(join, reference=join.reference.replace('text = ""', 'text = ""\n    locals()'))
    assert {row.reason for row in rows(task, "function_typo", "variable_typo")} == {"introspective"}


def test_templates_say_the_purpose_in_other_sentences(join: Task) -> None:
    texts = [row.instruction for row in rows(join, "description_paraphrase", variants=20)]
    for words in (
        '"""The function should collect the words', "Write a function to collect", "Can you write a function to collect the",
        "into one text, without changing their order?", "Given `words`, `separator` and `max_length`, collect",
        "In short, the function should collect", "`separator`: What stands", "    Parameters\n    ----------\n    words\n",
        ":param max_length: The limit", ":raises ValueError: If", ":returns: The text", "doesn't stay whole", "which are not changed",
    ):
        assert any(words in text for text in texts), words


def test_details_change_places_only_where_their_order_means_nothing(join: Task) -> None:
    clamp = make_tasks("sc-python")[0]
    listed = "Limit a value.\n\n    {}:\n        - It is one.\n        - It is two.\n    "
    for heading, count in (("Details (in no particular order)", 1), ("Details", 0)):
        text = f'{clamp.signature}\n    """{listed.format(heading)}"""\n'
        made = rows(replace(clamp, instruction=text), "description_paraphrase", variants=20)
        assert sum("two.\n        - It is one" in row.instruction for row in made) == count


def test_summaries_tell_nothing_that_is_not_there(join: Task) -> None:
    made = rows(join, "description_summary", variants=20)
    longer = [row for row in made if row.information == "same"]
    assert "The function takes 3 arguments, `words` of type `list[str]`, " in longer[0].instruction
    assert "For example, `join_words(['a', 'b'])` gives `'a b'`." in longer[1].instruction
    shorter = [row for row in made if row.information == "less"]
    assert len(shorter[0].instruction) < len(join.instruction) / 2
    assert "hyphen" not in shorter[0].instruction and ">>> join_words(['a', 'b'])" in shorter[0].instruction


def test_scrambled_words_are_no_question_any_more(join: Task) -> None:
    made = rows(join, "scrambled")
    assert {(row.information, row.meaning) for row in made} == {("less", "unchecked")}
    assert all(sorted(said(row.instruction)) == sorted(said(join.instruction)) for row in made)


def test_tasks_with_few_cases_show_fewer_examples_or_score_nothing(join: Task) -> None:
    few = replace(join, cases=join.cases[:6])
    made = rows(few, "example_insertion", "control")
    assert len(made[0].scored) >= 3 and sum(row.strategy == "example_insertion" for row in made) <= 2
    none = rows(replace(join, cases=join.cases[:1]), "example_insertion", "control")
    assert {row.reason for row in none} == {"no_case_to_score"} and len(none) == 2


def test_a_question_without_anything_to_change_says_so(join: Task) -> None:
    bare = replace(join, instruction='def f(x):\n    """`x`"""\n', signature="def f(x):", entry_point="f",
                   reference="def f(x):\n    return x\n", cases=make_tasks("sc-python")[1].cases)
    found = {row.strategy: row.reason for row in rows(bare, *USUAL)}
    assert {found[name] for name in ("function_typo", "variable_synonym", "description_typo", "description_paraphrase")} == {"no_word_to_change"}
    assert found["example_insertion"] == "" and found["example_removal"] == "no_word_to_change"


def test_a_word_is_not_put_where_it_means_another_thing(join: Task) -> None:
    text = join.instruction.partition('"""')[0] + '"""An item, an element, an entry."""\n'
    [row] = rows(replace(join, instruction=text), "description_synonym")
    assert Reason[row.reason.upper()] is Reason.MEANING_CHANGED and "mean something else" in row.evidence


@pytest.mark.parametrize("reason", [Reason.NO_WORD_TO_CHANGE, Reason.NO_CASE_TO_SCORE])
def test_reasons_are_sentences(reason: Reason) -> None:
    assert reason.value.endswith(".")


@pytest.mark.parametrize(("settings", "told"), [
    ({"strategies": ("descripton_typo",)}, "did you mean 'description_typo'"),
    ({"rate": 1.5}, "give a number from 0 to 1"), ({"rate": -0.1}, "give a number from 0 to 1"),
    ({"variants": 0}, "ask for at least 1"), ({"synonyms": ("curatd",)}, "did you mean 'curated'"),
])
def test_settings_that_cannot_be_met_are_refused(join: Task, settings: dict[str, object], told: str) -> None:
    with pytest.raises(UserError, match=told):
        reword(join, VaryConfig(**settings))  # type: ignore[arg-type]


def test_other_languages_are_refused(join: Task) -> None:
    with pytest.raises(UserError, match="only questions for functions in python"):
        reword(replace(join, language="java"), VaryConfig())


def test_the_same_seed_gives_the_same_rows_in_any_process_and_another_other_ones(join: Task) -> None:
    code = ("import json; from dataclasses import asdict; from pipeline.config import VaryConfig; from pipeline.rewording.asked import *; "
            "from tests.pipeline.rewording.conftest import make_join; "
            "print(json.dumps([asdict(row) for row in reword(make_join(), VaryConfig(strategies=tuple(BY_RULES)))]))")
    told = [
        subprocess.run([sys.executable, "-c", code], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
                       capture_output=True, text=True, check=True).stdout for seed in ("1", "2")]
    own = rows(join, *BY_RULES)
    assert told[0] == told[1] and json.loads(told[0]) == json.loads(json.dumps([asdict(row) for row in own]))
    other = {row.instruction for row in rows(join, "description_typo", "description_synonym", seed=1)}
    assert len(other & {row.instruction for row in own}) < len(other) / 4
