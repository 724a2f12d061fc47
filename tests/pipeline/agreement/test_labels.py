"""Files of labels: nothing is lost in them, spreadsheets take nothing for a formula, what is wrong is told by line."""

from __future__ import annotations

import csv
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UserError
from pipeline.agreement.kappa import Rater
from pipeline.agreement.labelling import Labelling
from pipeline.agreement.labels import COLUMNS, export, rater, read_sheet, sample
from pipeline.agreement.opinions import Subject
from pipeline.sheets import guarded, unguarded

CODE = 'def f(a):\n    """Say "hi", twice;\r\n\ttabbed, ü."""\n    return a'


def subjects(count: int) -> list[Subject]:
    return [Subject(f"c2b-{n:03d}", "sc-python", "=widgets", f"f{n}", CODE) for n in range(count)]


def opinions(made: list[Subject], refused: int) -> Rater:
    return Rater("majority", {one.id: "no" if n < refused else "yes" for n, one in enumerate(made)}, {})


def known(count: int) -> set[str]:
    return {one.id for one in subjects(count)}


def exported(path: Path, count: int = 3) -> Path:
    export(path, subjects(count), known(count))
    return path


def label(path: Path, answers: str, count: int = 3) -> str:
    """What labelling shows, given what is typed."""
    @click.command()
    def command() -> None:
        click.echo(Labelling(path, known(count)).run())

    result = CliRunner().invoke(command, input=answers)
    assert result.exit_code == 0, result.exception
    return result.output


def labels(path: Path, *columns: str, count: int = 3) -> list[tuple[str, ...]]:
    wanted = columns or ("suitable", "difficulty", "note")
    return [tuple(row.cells.get(c, "") for c in wanted) for row in read_sheet(path, known(count)).rows]


def test_an_export_comes_back_as_it_was(tmp_path: Path) -> None:
    sheet = read_sheet(exported(tmp_path / "a.csv"), known(3))
    assert sheet.columns == COLUMNS == ("id", "track", "project", "name", "code", "suitable", "difficulty", "note")
    assert [tuple(row.cells.values()) for row in sheet.rows] == [
        (one.id, one.track, one.project, one.name, CODE, "", "", "") for one in subjects(3)]


def test_no_cell_of_an_export_is_a_formula(tmp_path: Path) -> None:
    with open(exported(tmp_path / "a.csv"), newline="", encoding="utf-8-sig") as file:
        cells = [cell for row in csv.reader(file) for cell in row]
    assert "'=widgets" in cells
    assert not [cell for cell in cells if cell.lstrip()[:1] in tuple("=+-@")]


@pytest.mark.parametrize("text", ["=1+1", "+1", "-x", "@a", "\t=1", "\r=1", " =1", "'=1", "''+", "＝1", "\n@decorated"])
def test_what_could_be_a_formula_is_guarded(text: str) -> None:
    assert guarded(text) == "'" + text
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize("text", ["", "'tis", "a=1", "'", "def f(): return -1", "''"])
def test_what_is_none_is_left_alone(text: str) -> None:
    assert guarded(text) == unguarded(text) == text


@given(st.text("'=+-@ \t\r\n＝a") | st.text())
def test_guarding_can_be_undone(text: str) -> None:
    assert unguarded(guarded(text)) == text


@pytest.mark.parametrize(("count", "refused", "size", "no"), [
    (20, 5, 8, 2), (20, 1, 8, 1), (20, 19, 8, 7), (20, 0, 8, 0), (20, 20, 8, 8), (4, 1, 50, 1), (20, 1, 1, 0), (0, 0, 5, 0)])
def test_a_sample_has_refused_ones_by_their_share(count: int, refused: int, size: int, no: int) -> None:
    made = subjects(count)
    by = opinions(made, refused)
    drawn = sample(made, by, size, 1)
    assert len(drawn) == len({one.id for one in drawn}) == min(size, count)
    assert sum(by.suitable[one.id] == "no" for one in drawn) == no


def test_a_sample_depends_on_the_seed_and_grows() -> None:
    made = subjects(60)
    by = opinions(made, 17)
    assert sample(made, by, 20, 1) == sample(made[::-1], by, 20, 1) != sample(made, by, 20, 2)
    for size in range(1, 60):
        assert {one.id for one in sample(made, by, size, 1)} <= {one.id for one in sample(made, by, size + 1, 1)}


def test_the_order_tells_nothing() -> None:
    made = subjects(40)
    by = opinions(made, 20)
    order = "".join(by.suitable[one.id][0] for one in sample(made, by, 40, 1))
    assert "ny" in order and "yn" in order and order.count("ny") > 4


def test_exporting_again_keeps_what_is_written(tmp_path: Path) -> None:
    path = exported(tmp_path / "a.csv", 2)
    label(path, "y\nh\n=odd\nq\n")
    before = labels(path)
    again = export(path, subjects(3), known(3))
    assert (again.rows, again.added, again.labelled) == (3, 1, 1)
    assert labels(path) == [*before, ("", "", "")] == [("yes", "Hard", "=odd"), ("", "", ""), ("", "", "")]
    data = path.read_bytes()
    assert export(path, subjects(3), known(3)).added == 0
    assert path.read_bytes() == data


def test_exporting_to_a_file_of_labels_alone_adds_the_columns(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("who;id;suitable;difficulty\nann;c2b-001;Y;easy\n")
    export(path, subjects(3), known(3))
    assert labels(path, "who", "id", "suitable", "code")[0] == ("ann", "c2b-001", "Y", CODE)
    assert len(labels(path)) == 3


@pytest.mark.parametrize(("text", "sentence"), [
    ("", "is empty: make it with --export"),
    ("id,suitable\n", "line 1: there is no column 'difficulty'"),
    ("id,suitable,difficulty,id\n", "line 1: the column 'id' is there twice"),
    ("id,suitable,difficulty\nc2b-000,maybe,\n", "line 2: suitable is 'maybe': write yes or no, or leave it empty."),
    ("id,suitable,difficulty\n\nc2b-000,,tricky\n", "line 3: difficulty is 'tricky': write Easy, Medium or Hard"),
    ("id,suitable,difficulty\nc2b-000,,\nc2b-000,,\n", "line 3: c2b-000 stands in line 2 already: remove one"),
    ('note,id,suitable,difficulty\n"a\nb",c2b-000,,\n,other,,\n', "line 4: the build has no candidate 'other'"),
    ("id,suitable,difficulty\n,yes,\n", "line 2: the build has no candidate ''"),
    ("id,suitable,difficulty\nc2b-000,yes,Easy,so,what\n", "line 2: it has 5 cells, the header 3: quote the commas."),
    ('id,suitable,difficulty\n"c2b-000"x,yes,\n', "line 2: it is no CSV"),
    ('id,suitable,difficulty\n"c2b-000,yes,\n', "line 2: it is no CSV"),
])
def test_what_is_wrong_is_told_by_its_line(tmp_path: Path, text: str, sentence: str) -> None:
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(UserError) as raised:
        read_sheet(tmp_path / "a.csv", known(3))
    assert str(raised.value).startswith(str(tmp_path / "a.csv"))
    assert sentence in str(raised.value)


def test_a_file_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "latin.csv").write_bytes("id,suitable,difficulty\n\xfc".encode("latin-1"))
    for name, sentence in (("latin.csv", "no text in UTF-8"), ("none.csv", "can't be read"), (".", "can't be read")):
        with pytest.raises(UserError, match=sentence):
            read_sheet(tmp_path / name, known(3))


@pytest.mark.parametrize("text", [
    "id,suitable,difficulty\nc2b-000,YES,easy\nc2b-001, no ,\nc2b-002,,\n",
    "\ufeffid;suitable;difficulty\r\nc2b-000;y;Easy\r\nc2b-001;FALSE;\r\n;;\r\n",
    "suitable\tdifficulty\tid\n1\tEASY\tc2b-000\n0\t\tc2b-001",
    "id,suitable,difficulty\nc2b-000,true,Easy\nc2b-001,n\n",
], ids=["spelling", "semicolons", "tabs", "short rows"])
def test_what_spreadsheets_and_people_make_of_it_is_read(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.csv").write_bytes(text.encode())
    found = rater(read_sheet(tmp_path / "a.csv", known(3)), "ann")
    assert found == Rater("ann", {"c2b-000": "yes", "c2b-001": "no"}, {"c2b-000": "Easy"})


def test_labelling_asks_for_what_is_open(tmp_path: Path) -> None:
    path = exported(tmp_path / "a.csv")
    shown = label(path, "y\nm\nfine\nn\n\ns\n")
    assert labels(path) == [("yes", "Medium", "fine"), ("no", "", ""), ("", "", "")]
    assert "1 of 3: f0" in shown and "return a" in shown and "2 of 3: f1" in shown and "done=2" in shown
    shown = label(path, "n\nlate\n")
    assert "1 of 3" not in shown and "3 of 3: f2" in shown
    assert labels(path)[2] == ("no", "", "late")
    assert "Suitable" not in label(path, "")


def test_a_wrong_letter_is_asked_again_and_the_end_of_input_is_no_harm(tmp_path: Path) -> None:
    path = exported(tmp_path / "a.csv")
    label(path, "x\nY\n")
    assert labels(path)[0] == ("yes", "", "")
    assert "Difficulty" in label(path, "h\n\nq\n")
    assert labels(path) == [("yes", "Hard", ""), ("", "", ""), ("", "", "")]


@pytest.mark.parametrize("typed", ["y\n", "y\ne\n", "y\ne\nnote\n"])
def test_whatever_was_typed_before_the_end_is_kept(tmp_path: Path, typed: str) -> None:
    path = exported(tmp_path / "a.csv")
    label(path, typed)
    given = typed.split()
    wanted = ("yes", "Easy" if len(given) > 1 else "", "note" if len(given) > 2 else "")
    assert labels(path)[0] == wanted
    assert [file.name for file in tmp_path.iterdir()] == ["a.csv"]


def test_labelling_keeps_the_columns_of_others(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("mine,id,suitable,difficulty,code\n-1,c2b-000,,,pass\n")
    label(path, "n\nwhy\n")
    assert labels(path, "mine", "suitable", "note") == [("-1", "no", "why")]


def test_a_terminal_is_safe_from_the_code(tmp_path: Path) -> None:
    evil = Subject("c2b-000", "sc-python", "p\x1b]0;x\x07", "f", "return '\x1b[2J\u202e'")
    export(tmp_path / "a.csv", [evil], known(1))
    shown = label(tmp_path / "a.csv", "q\n", 1)
    assert "\x1b" not in shown and "\u202e" not in shown
    assert "\\x1b[2J" in shown


def test_without_code_there_is_nothing_to_show(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("id,suitable,difficulty\nc2b-000,,\n")
    with pytest.raises(UserError, match="no column 'code'"):
        Labelling(tmp_path / "a.csv", known(3)).run()
