"""The index of what versions of files define: it grows by parts, goes on after a stop, and never reads twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.languages.registry import language
from pipeline.sources import history_index
from pipeline.sources.history_index import HistoryIndex, View

FILES = {
    f"{number:040x}": f"def f{number % 5}(x):\n    return x + {number}\n\n\ndef same(x):\n    return x\n".encode()
    for number in range(12)
}
SIZES = {blob: len(data) for blob, data in FILES.items()}
PLACES = [(blob, f"{number}.py") for number, blob in enumerate(FILES)]


class Stopped(Exception):
    pass


class Reading:
    """Reads blobs, notes which, and stops before the one with the number `stop`."""

    def __init__(self, stop: int = 1000) -> None:
        self.read: list[str] = []
        self.stop = stop

    def __call__(self, blob: str) -> bytes:
        if len(self.read) == self.stop:
            raise Stopped
        self.read.append(blob)
        return FILES[blob]


def index(folder: Path) -> HistoryIndex:
    return HistoryIndex(folder, language("python").reading)


def contents(folder: Path) -> list[tuple[str, str, str, int]]:
    view = View(index(folder), PLACES, "then")
    return sorted((one.qualified, one.path, one.source, one.order) for one in view)


@pytest.fixture
def whole(tmp_path: Path) -> Path:
    index(tmp_path / "whole").learn(SIZES, Reading(), "all")
    return tmp_path / "whole"


@pytest.mark.parametrize("stop", [0, 1, 4, 7, 11])
def test_what_was_stopped_goes_on_and_gives_the_same(
    whole: Path, tmp_path: Path, stop: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history_index, "_PART_FILES", 2)
    first, second = Reading(stop), Reading()
    with pytest.raises(Stopped):
        index(tmp_path / "index").learn(SIZES, first, "some")
    index(tmp_path / "index").learn(SIZES, second, "the rest")
    assert len(first.read) + len(second.read) - len(FILES) in (0, 1)
    assert contents(tmp_path / "index") == contents(whole)
    again = Reading()
    index(tmp_path / "index").learn(SIZES, again, "nothing")
    assert again.read == []


def test_the_order_of_learning_decides_nothing(whole: Path, tmp_path: Path) -> None:
    backwards = dict(reversed(SIZES.items()))
    for chosen in (dict(list(backwards.items())[:5]), backwards):
        index(tmp_path / "index").learn(chosen, Reading(), "some")
    assert contents(tmp_path / "index") == contents(whole)


def test_two_that_learn_at_once_do_not_disturb_each_other(whole: Path, tmp_path: Path) -> None:
    one, other = index(tmp_path / "index"), index(tmp_path / "index")

    def read(blob: str) -> bytes:
        if blob == next(iter(FILES)):
            other.learn(SIZES, Reading(), "all")
        return FILES[blob]

    one.learn(dict(list(SIZES.items())[:7]), read, "some")
    assert set(contents(tmp_path / "index")) == set(contents(whole))


def test_a_part_that_is_not_whole_does_not_count(whole: Path) -> None:
    [last] = whole.rglob("*.files.parquet")
    last.unlink()
    reading = Reading()
    index(whole).learn(SIZES, reading, "all")
    assert len(reading.read) == len(FILES)


def test_the_first_place_of_each_function_is_told(whole: Path) -> None:
    view = View(index(whole), PLACES, "then")
    [same] = [one for one in view if one.qualified == "same"]
    assert str(same) == "same in 0.py (then)"
    assert view.same([same.fingerprint, "none"]) == {same.fingerprint: same}
    later = View(index(whole), PLACES[4:], "later")
    assert {later.file_of(known) for known in later.like([], [same.fingerprint])} == {0}
    assert same.fingerprint in {known.fingerprint for known in later.like([same.name], [])}
    assert later.same([same.fingerprint])[same.fingerprint].path == "4.py"
    assert View(index(whole), [], "never").same([same.fingerprint]) == {}
