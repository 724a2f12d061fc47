"""Maintainers' files: read, written, and refused in a sentence; names that a task may have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.config import CurateConfig
from pipeline.curated.answers import FILE, BlindAnswer, load_answers, publish
from pipeline.curated.answers import published as answers_of
from pipeline.curated.files import CuratedFile, load_curated, parsed, read_file, reference_digest, save, written
from pipeline.curated.naming import published
from pipeline.curated.stage import CurateStage
from pipeline.languages.programs import Unreadable
from pipeline.records import Candidate, Curated, Rejection
from tests.pipeline.making import candidate, context

PROGRAM = '''
def _spread(values: list[int], step: int = 1) -> int:
    """Spread them, as `_spread([1], 2)` does."""
    if len(values) < 2:
        return step
    return max(values) - _spread(values[1:], step)
'''
STRATEGIES = '''from hypothesis import strategies as st

arguments = st.fixed_dictionaries({"values": st.lists(st.integers()), "step": st.just(2)})'''
CURATED = Curated("Spread the values.\n\nArgs:\n    values: Which.", ("step > 0", "len(values) < 9"), STRATEGIES,
                  ("[1, 2], step=3", 'values=[], step="\\n"'), "spread", "Hard", "whole")
CURATED_FILE = CuratedFile("c2b-0123456789abcdef", "abcdef0123456789", CURATED, 'Some "quotes" and \\ signs.')


def made(**changes: object) -> Candidate:
    return replace(candidate(PROGRAM), **changes)


def test_a_file_says_what_was_written(tmp_path: Path) -> None:
    path = save(CURATED_FILE, tmp_path, "_spread")
    assert path.name == "spread.0123456789abcdef.md"
    assert load_curated(tmp_path) == {CURATED_FILE.id: replace(CURATED_FILE, path=path, curated=read_file(path).curated)}
    again = read_file(path)
    assert written(again) == path.read_text() and again.curated.strategies.strip() == STRATEGIES
    assert replace(again.curated, strategies=STRATEGIES) == CURATED and again.remarks == CURATED_FILE.remarks


def test_a_file_says_what_no_call_takes(tmp_path: Path) -> None:
    claims = ('`_left` line 3 to line 4: what is "left" is even',)
    path = save(replace(CURATED_FILE, curated=replace(CURATED, unreachable=claims)), tmp_path, "_spread")
    assert read_file(path).curated.unreachable == claims and written(read_file(path)) == path.read_text()


def test_a_file_holds_wrong_answers_below_its_text(tmp_path: Path) -> None:
    wrong = ("def spread(values, step=1):\n    return '`+++`'", "import re\n\ndef spread(values, step=1):\n    return 0")
    path = save(replace(CURATED_FILE, curated=replace(CURATED, wrong=wrong)), tmp_path, "_spread")
    again = read_file(path)
    assert (again.curated.wrong, again.curated.text) == (wrong, CURATED.text) and written(again) == path.read_text()
    path.write_text(path.read_text().replace("\n```python\n", "\nThis one is wrong:\n```python\n", 1))
    with pytest.raises(UserError, match="programs alone"):
        read_file(path)


@pytest.mark.parametrize(("old", "new", "said"), [
    ("+++\nid", "id", "has no header"),
    ("contract = [", "contract = [[", "is no TOML"),
    ("remarks", "remark", "unknown key 'remark'"),
    ('name = "spread"', "name = 3", "name must be a text"),
    ('id = "c2b-0123456789abcdef"', 'id = ""', "lacks id"),
    ('"Hard"', '"Harder"', "difficulty must be one of Easy, Medium, Hard"),
    ('"whole"', '"lsc"', "family must be whole, or left out"),
])
def test_what_is_wrong_in_a_file_is_one_sentence(old: str, new: str, said: str) -> None:
    text = written(CURATED_FILE)
    assert old in text
    with pytest.raises(UserError, match=said):
        parsed(text.replace(old, new, 1), Path("spread.md"))


def test_two_files_for_one_function_are_refused(tmp_path: Path) -> None:
    save(CURATED_FILE, tmp_path, "one")
    save(CURATED_FILE, tmp_path, "other")
    with pytest.raises(UserError, match="remove one of them"):
        load_curated(tmp_path)


def test_underscores_go_with_recursion_and_documentation() -> None:
    named = published(made())
    assert (named.function.name, named.original, named.id) == ("spread", "_spread", made().id)
    assert "_spread" not in named.program and named.program.count("spread(") == 3
    assert published(named) is named


@pytest.mark.parametrize(("program", "name"), [
    ("def _f(spread):\n    return _f(spread)\n", "spread"),  # a parameter
    ("def _f(x):\n    return x.spread\n", "spread"),
    ("def _f(x):\n    return f'{_f(x)}'\n", "spread"),
    ("def _sum(x):\n    return sum(x)\n", ""),
    ("def _f(x):\n    return x\n", "not a name"),
    ("def _f(x):\n    return x\n", "class"),
])
def test_a_name_that_would_change_a_meaning_is_refused(program: str, name: str) -> None:
    with pytest.raises(Unreadable):
        published(candidate(program), name)


def test_renaming_back_gives_the_same_code() -> None:
    from pipeline.languages.registry import language

    named = published(made())
    assert language("python").programs.renamed(named.program, "spread", "_spread") == made().program


def stage(folder: Path, file: CuratedFile) -> list[Candidate | Rejection]:
    save(file, folder / "curated", "_spread")
    return list(CurateStage(CurateConfig()).run([made()], context(folder)))


def mine(**changes: object) -> CuratedFile:
    return replace(CURATED_FILE, id=made().id, reference=reference_digest(made()), curated=replace(CURATED, **changes))


def test_a_candidate_gets_what_was_written(tmp_path: Path) -> None:
    [found] = stage(tmp_path, mine(name="reach"))
    assert isinstance(found, Candidate) and found.curated is not None
    assert (found.function.name, found.original, found.curated.contract) == ("reach", "_spread", CURATED.contract)


def test_a_stale_file_is_told_and_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [found] = stage(tmp_path, replace(mine(), reference="0" * 16))
    assert isinstance(found, Candidate) and (found.curated, found.function.name) == (None, "spread")
    told = capsys.readouterr()
    assert "is stale" in told.out + told.err and reference_digest(made()) in told.out + told.err


@pytest.mark.parametrize(("changes", "said"), [
    ({"text": ""}, "no text"),
    ({"text": "So:\n>>> spread([])"}, "as `examples` in the header"),
    ({"name": "len"}, "no name that a function may have"),
    ({"contract": ("step >",)}, "is no Python expression"),
    ({"contract": ("stride > 0",)}, "uses stride, which is no parameter"),
    ({"contract": ("1 > 0",)}, "speaks of no parameter"),
    ({"contract": ("open(values)",)}, "may not do this"),
    ({"contract": ("values.__class__ is list",)}, "uses the attribute __class__"),
    ({"contract": ("(n := step) > 0",)}, "binds"),
    ({"contract": tuple(f"step > {n}" for n in range(30))}, "30 conditions"),
    ({"strategies": "arguments ="}, "no Python"),
    ({"strategies": "import os\narguments = 1"}, "imports os"),
    ({"examples": ("[1, 2",)}, "no list of arguments"),
    ({"wrong": ("def spread(values, step): return 1", "def spread(")}, "Wrong answer 2 is no Python that defines spread"),
    ({"wrong": ("def _spread(values, step): return 1",)}, "Wrong answer 1 is no Python that defines spread"),
    ({"unreachable": ("`_left` line 3 to line 4: none is",)}, "line 3 to line 4 is no branch or line of a member"),
    ({"unreachable": ("`_left` line 3 to line 4",)}, "gives no reason"),
    ({"unreachable": ("line 3 to line 4: the function's own",)}, "is no branch or line of a member"),
])
def test_what_can_not_be_used_leaves_with_the_reason(tmp_path: Path, changes: dict[str, object], said: str) -> None:
    [found] = stage(tmp_path, mine(**changes))
    assert isinstance(found, Rejection) and found.reason == "unfit_curation"
    assert said in found.evidence


def test_answers_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    assert load_answers(path) == {}
    line = '{"task": "c2b-1", "solver": "one", "attempt": 1, "prompt": "ab", "answer": "x"}\n'
    path.write_text(line)
    assert [one.solver for one in load_answers(path)["c2b-1"]] == ["one"]
    path.write_text(line * 2)
    with pytest.raises(UserError, match="line 2, has attempt 1 of one once more"):
        load_answers(path)
    path.write_text(line + "{}\n")
    with pytest.raises(UserError, match="line 2, is no blind answer"):
        load_answers(path)


def test_answers_of_a_release_are_no_plain_text_where_it_is_veiled(tmp_path: Path) -> None:
    answers = [BlindAnswer("c2b-1", "one", 1, "ab", "def f():\n    return 1\n"), BlindAnswer("c2b-1", "two", 1, "ab", "")]
    publish(tmp_path, [])
    assert answers_of(tmp_path) == [] and not list(tmp_path.iterdir())
    publish(tmp_path, answers)
    assert answers_of(tmp_path) == answers
    publish(tmp_path, answers, "key")
    assert b"return 1" not in (tmp_path / FILE).read_bytes() and answers_of(tmp_path, "key") == answers
    with pytest.raises(UserError, match="key"):
        answers_of(tmp_path, "other")
