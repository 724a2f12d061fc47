"""Functions that call others of their project, the whole way: from archives to tasks, prompts and verdicts."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.languages import Machine
from harness.prompts import prompt
from harness.records import Task
from harness.releases.dataset import Release, load_release
from harness.runtime import ensure_runtime
from harness.sandbox import choose
from harness.scoring.judging import judge
from pipeline import flow, store
from pipeline.config_file import load_config
from pipeline.curated.files import read_file, written
from pipeline.curated.naming import published
from pipeline.flow import Build, Options
from pipeline.languages.registry import language
from pipeline.records import Curated, Instruction, Rejection
from pipeline.release.editing import Desk, edit
from pipeline.release.explain import as_text, explain
from pipeline.release.verify import verify
from pipeline.screen.stage import measure_whole
from pipeline.sources.member_ages import MemberAgesStage
from scripts.check_bundles import open_names
from tests.pipeline.make_project import LICENCE, data_folder, tree
from tests.pipeline.making import context
from tests.pipeline.sources.conftest import Server, sdist, serving

WORDS = '''
"""Words."""
import re

VOWELS = frozenset("aeiou")
PATTERN = re.compile(r"[a-z]+")


def pieces(text: str) -> list[str]:
    """The words of a text in lower case."""
    return PATTERN.findall(text.lower())


def open_end(word: str) -> bool:
    """Whether a word ends in a vowel."""
    return bool(word) and word[-1] in VOWELS
'''
CORE = '''
"""What the words are for."""
from __future__ import annotations

from . import words
from .api import cut
from .old import vowels_in
from .words import VOWELS, open_end as ends_open

WEIGHT = {"open": 2, "closed": 1}


def vowel_runs(text: str) -> int:
    """Count the runs of vowels in a text.

    A run is a longest stretch of neighbouring letters a, e, i, o or u, upper case or not. The empty text has none.
    """
    count, before = 0, False
    for letter in text.lower():
        inside = letter in VOWELS
        if inside and not before:
            count += 1
        before = inside
    return count


def weigh_words(text: str, most: int = 100) -> int:
    """Add up the weights of the words of a text.

    The words are those that `cut` gives. A word that ends in a vowel weighs as much as `WEIGHT` says for "open",
    every other one as much as it says for "closed". A word that is the same as the one before it weighs nothing. A sum
    above `most` is cut down to `most`.

    Args:
        text: The text to weigh.
        most: The largest sum that is given.
    """
    total, before = 0, ""
    for word in cut(text):
        if word != before:
            total += WEIGHT["open"] if ends_open(word) else WEIGHT["closed"]
        before = word
    return min(total, most)


def even_digit_sums(numbers: list[int], least: int = 0) -> list[int]:
    """Keep the sums of digits that two divides and that are above a bound.

    The decimal digits of each number are added up, whatever its sign. Of these sums those are given, in the order of
    the numbers, that can be divided by two and are larger than least; each sum is given once, where it comes first.

    Args:
        numbers: The numbers to look at.
        least: The bound, which is not kept itself.
    """
    found = []
    for number in numbers:
        total = digit_sum(number)
        if total % 2 == 0 and total > least and total not in found:
            found.append(total)
    return found


def digit_sum(number: int) -> int:
    total = 0
    for digit in str(abs(number)):
        total += int(digit)
    return total


def _long_steps(values: list[int], least: int = 1) -> list[int]:
    """Keep the steps between neighbouring values that are long.

    A step is the difference of a value and the one before it, whatever its sign. Those of at least the given length
    are given, in their order.

    Args:
        values: The values.
        least: The shortest step that is long.
    """
    found, rest = [], iter(values)
    last = next(rest, 0)
    for value in rest:
        step, last = abs(value - last), value
        if step >= least:
            found.append(step)
    return found


def high_steps(values: list[int], least: int = 1) -> list[int]:
    """Keep the steps between neighbouring values that go up.

    A step is the difference of a value and the one before it. Those that are at least as high as the given number
    are given, in their order, and a number below zero counts as zero.

    Args:
        values: The values.
        least: The lowest step that is high.
    """
    found, rest = [], iter(values)
    last = next(rest, 0)
    for value in rest:
        step, last = value - last, value
        if step >= max(least, 0):
            found.append(step)
    return found


def vowels_left(text: str, least: int = 0) -> list[int]:
    """Keep the numbers of vowels in the words of a text that are above a bound.

    Words are what white space separates. Of each word the letters a, e, i, o and u are counted, upper case or not, each
    letter "aeiou" as often as it stands there. Numbers above least are given, in the order of the words.

    Args:
        text: The text to look at.
        least: The bound, which is not kept itself.
    """
    found = []
    for word in text.split():
        count = vowels_in(word)
        if count > least:
            found.append(count)
    return found


def through_module(text: str) -> int:
    """Count the words of a text that are longer than three letters, with those of the other module."""
    count = 0
    for word in words.pieces(text):
        if len(word) > 3:
            count += 1
    return count
'''
ELDER = '''
def vowels_in(word):
    count = 0
    for letter in word.lower():
        if letter in "aeiou":
            count += 1
    return count
'''
STEPS = '''
def long_steps(values, least=1):
    found = []
    for place in range(1, len(values)):
        before, after = values[place - 1], values[place]
        length = after - before if after > before else before - after
        if not length < least:
            found.append(length)
    return found


def high_steps(values, least=1):
    found = []
    for place in range(1, len(values)):
        before, after = values[place - 1], values[place]
        if not after - before < least:
            found.append(after - before)
    return found


class Steps:
    def high_steps(self, values, least=1):
        return values
'''
NEW = {
    "gamma/__init__.py": "", "gamma/api.py": "from .words import pieces as cut\n", "gamma/core.py": CORE,
    "gamma/words.py": "# SPDX-License-Identifier: BSD-3-Clause\n" + WORDS, "LICENSE": LICENCE,
    "gamma/old.py": ELDER,
}
OLD = {"gamma/__init__.py": "VERSION = 1\n", "gamma/letters.py": ELDER, "gamma/steps.py": STEPS, "LICENSE": LICENCE}
LISTED = 'kind = "pypi"\n[[source]]\nname = "gamma"\ndomain = "Text Processing & NLP"\n'


def fill(registry: Server) -> None:
    registry.project("gamma")
    for version, day, files in (("1.0", "2026-01-10", OLD), ("1.1", "2026-06-10", NEW)):
        registry.upload("gamma", version, day, sdist(files, f"gamma-{version}"))


def configuration(place: Path) -> Path:
    config = data_folder(place)
    (config.parent.parent / "sources" / "pypi.toml").write_text(LISTED)
    config.write_text(config.read_text() + '[families]\ntake = ["function", "lsc", "whole"]\n')
    return config


@pytest.fixture(scope="module")
def registry() -> Iterator[Server]:
    with serving() as made:
        fill(made)
        yield made


@pytest.fixture(scope="module")
def layered(registry: Server, tmp_path_factory: pytest.TempPathFactory) -> Build:
    place = tmp_path_factory.mktemp("layered")
    return flow.build(configuration(place), Options(workers=1, folder=place / "build"))


@pytest.fixture(scope="module")
def release(layered: Build) -> Release:
    return load_release(layered.release)


@pytest.fixture(scope="module")
def task(release: Release) -> Task:
    return next(one for one in release.tasks if one.entry_point == "weigh_words")


@pytest.fixture(scope="module")
def machine(release: Release) -> Machine:
    return Machine(choose(), ensure_runtime(release.lock))


def test_what_a_function_needs_is_given_with_where_it_stands(task: Task) -> None:
    assert (task.track, task.family, task.layers, task.libraries) == ("lsc-python", "lsc", 1, ("re",))
    assert [(one.names, one.kind, one.path, one.licence) for one in task.members] == [
        ("VOWELS", "constant", "gamma/words.py", "BSD-3-Clause"),
        ("PATTERN", "constant", "gamma/words.py", "BSD-3-Clause"),
        ("pieces", "function", "gamma/words.py", "BSD-3-Clause"),
        ("open_end", "function", "gamma/words.py", "BSD-3-Clause"),
        ("WEIGHT", "constant", "gamma/core.py", "MIT"),
    ]
    assert "cut = pieces\n" in task.given.before and "ends_open = open_end\n" in task.given.before
    assert task.reference.startswith("def weigh_words(") and task.program == task.given.before + task.reference
    assert list(open_names(task.program)) == []


def test_constants_alone_make_an_ordinary_task(release: Release) -> None:
    found = next(one for one in release.tasks if one.entry_point == "vowel_runs")
    assert (found.track, found.family, found.layers) == ("sc-python", "function", 0)
    assert found.given.before.rstrip().endswith('VOWELS = frozenset("aeiou")')


def test_a_text_that_is_enough_without_the_helpers_asks_for_all(release: Release, machine: Machine) -> None:
    both = (one for one in release.tasks if one.entry_point == "even_digit_sums")
    given, whole = sorted(both, key=lambda one: one.family)
    assert (given.track, whole.track) == ("lsc-python", "whole-python")
    assert (whole.given, whole.origin, given.origin) == (None, given.task_id, None)
    assert whole.task_id != given.task_id and whole.cases == given.cases and whole.members == given.members
    assert [(one.names, one.new) for one in whole.members] == [("digit_sum", True)]
    assert whole.reference == given.program and "digit_sum(" not in prompt(whole).user
    assert judge(whole, whole.reference, machine).perfect
    assert not judge(whole, given.reference, machine).perfect


def test_a_text_that_counts_on_helpers_does_not(release: Release) -> None:
    assert [one.family for one in release.tasks if one.entry_point == "weigh_words"] == ["lsc"]


TOLD = """Keep the sums of digits that are even and above a bound, each once.

The sum of the digits of each number is taken, whatever its sign. Sums are kept in the order in which they come first.

Args:
    numbers: Whole numbers.
    least: The bound, which is not kept itself.

Returns:
    The sums."""
STRATEGIES = """from hypothesis import strategies as st

arguments = st.fixed_dictionaries({
    "numbers": st.lists(st.integers(-999, 999), max_size=9), "least": st.sampled_from([0, 0, 4, 10])})"""
FOR_ALL = Curated(TOLD, ("least >= 0",), STRATEGIES, ("[24, -31, 5, 60, 6]", "[6, 19, 8], 6"), family="whole")


def desk_of(layered: Build, place: Path) -> Desk:
    """A desk of the build with a data folder of its own."""
    data = layered.config.path.parents[1]
    shutil.copytree(data, place / "data")
    config = load_config(place / "data" / layered.config.path.relative_to(data))
    return Desk(config, layered.folder, flow.context_of(config, Options()), flow.stages(config))


@pytest.mark.parametrize("text", [FOR_ALL, pytest.param(replace(FOR_ALL, family=""), marks=pytest.mark.slow)])
def test_a_maintainer_writes_for_one_of_the_forms(layered: Build, tmp_path: Path, text: Curated) -> None:
    desk = desk_of(layered, tmp_path)
    candidate = desk.find("even_digit_sums")
    path = desk.file_of(candidate)
    path.write_text(written(replace(read_file(path), curated=text)))
    found = desk.tried(candidate, path)
    task = found.task
    assert task is not None, found.refusal.evidence
    assert (task.family, task.instructed_by) == (text.family or "lsc", "maintainer")
    assert TOLD.splitlines()[2].split(",")[0] in task.instruction
    helpers = [line for line in task.reference.splitlines() if line.startswith("def ")]
    both = measure_whole(task.program, task.entry_point, task.members, language("python"))
    assert (len(helpers), task.given is None, task.measures == both) == ((2, True, True) if text.family else (1, False, False))


def test_a_text_for_a_form_that_a_function_has_not_is_refused_with_the_cure(layered: Build, tmp_path: Path) -> None:
    desk = desk_of(layered, tmp_path)
    candidate = desk.find("vowel_runs")
    path = desk.file_of(candidate)
    strategies = 'from hypothesis import strategies as st\n\narguments = st.fixed_dictionaries({"text": st.text(max_size=30)})'
    wrong = Curated("Count the runs of vowels.", strategies=strategies, family="whole")
    path.write_text(written(replace(read_file(path), curated=wrong)))
    refusal = desk.tried(candidate, path).refusal
    assert refusal is not None and refusal.reason == "no_family"
    assert "Its text is for whole: leave out family" in refusal.evidence


def test_what_calls_an_old_helper_is_only_asked_for_with_it(layered: Build, release: Release) -> None:
    [task] = [one for one in release.tasks if one.entry_point == "vowels_left"]
    assert (task.family, [(one.names, one.new) for one in task.members]) == ("lsc", [("vowels_in", False)])
    steps = [(one.stage, one.outcome, one.evidence) for one in explain(layered.folder, "vowels_left")]
    [why] = [evidence for stage, outcome, evidence in steps if (stage, outcome) == ("members", "old_helper")]
    assert why == "vowels_in: it stood as vowels_in in gamma/letters.py (gamma-1.0.tar.gz)"


LEFT = Curated("""Keep the numbers of vowels in the words of a text that are above a bound.

Words are what white space separates. Of each word the letters a, e, i, o and u are counted, upper case or not.

Args:
    text: Any text.
    least: The bound.

Returns:
    The numbers, in the order of the words.""", (), """from hypothesis import strategies as st

arguments = st.fixed_dictionaries({
    "text": st.lists(st.sampled_from(["Oak", "ash", "Elm tree", "i", "larch"]), max_size=6).map(" ".join),
    "least": st.sampled_from([0, 0, 1, 2, 3])})""", family="whole")


def test_who_writes_for_what_calls_an_old_helper_is_told(layered: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = desk_of(layered, tmp_path)
    untouched = edit(desk, "vowels_left", interactive=False)
    assert untouched.refusal is not None
    assert "It can only be asked for with what it calls given (leave out family). vowels_in: it stood as vowels_in in" in capsys.readouterr().out
    untouched.file.write_text(written(replace(read_file(untouched.file), curated=LEFT)))
    refusal = desk.tried(desk.find("vowels_left"), untouched.file).refusal
    assert refusal is not None and (refusal.stage, refusal.reason) == ("members", "old_helper")
    assert desk.older(desk.find("even_digit_sums")) == ""
    caller = desk.find("vowels_left")
    with_class = replace(caller, members=(*caller.members, replace(caller.members[0], names="Steps", kind="class")))
    assert desk.older(caller) and desk.older(with_class) == "", "it is asked for with the class given anyway"


def test_new_code_that_answers_as_an_older_function_of_its_name_did_is_no_task(layered: Build, release: Release) -> None:
    steps = [(one.stage, one.outcome, one.evidence) for one in explain(layered.folder, "_long_steps")]
    [why] = [evidence for stage, outcome, evidence in steps if (stage, outcome) == ("namesakes", "prior_to_cutoff")]
    assert re.fullmatch(
        r"long_steps in gamma/steps\.py \(gamma-1\.0\.tar\.gz\) gives the same answers to all of its \d+ cases", why)
    names = {one.entry_point for one in release.tasks}
    assert "high_steps" in names and not names & {"long_steps", "_long_steps"}


def test_a_helper_whose_past_was_not_looked_at_is_not_asked_for(layered: Build, tmp_path: Path) -> None:
    [folder] = layered.folder.glob("stages/*-instruct")
    records = [one for file in sorted(folder.glob("*.kept.parquet")) for one in store.read(file, Instruction)]
    candidates = {one.suite.candidate.function.name: one for one in records if one.suite.candidate.given is None
                  and any(member.kind == "function" for member in one.suite.candidate.members)}
    record = candidates["even_digit_sums"]
    candidate = record.suite.candidate
    members = tuple(replace(one, fingerprint="0" * 32) for one in candidate.members)
    changed = replace(record, suite=replace(record.suite, candidate=replace(candidate, members=members)))
    [gone] = MemberAgesStage().run([changed], context(tmp_path))
    assert isinstance(gone, Rejection) and gone.reason == "old_helper" and "was not looked at" in gone.evidence


def test_helpers_that_call_a_renamed_function_in_turn_are_looked_at(layered: Build, tmp_path: Path) -> None:
    [folder] = layered.folder.glob("stages/*-instruct")
    records = [one for file in sorted(folder.glob("*.kept.parquet")) for one in store.read(file, Instruction)]
    record = next(one for one in records if one.suite.candidate.function.name == "even_digit_sums")
    program = """def _half(n):
    return 0 if n < 1 else 1 + _steps(n // 2)


def _steps(n):
    return 0 if n < 1 else 1 + _half(n - 1)
"""
    mutual = next(one for one in language("python").reading.definitions(program) if one.name == "_half")
    old = record.suite.candidate
    members = (replace(old.members[0], kind="function", names="_half", fingerprint=mutual.fingerprint),)
    mined = replace(old, function=replace(old.function, name="_steps"), program=program, before="", members=members)
    changed = replace(record, suite=replace(record.suite, candidate=published(mined, "count_steps")))
    [gone] = MemberAgesStage().run([changed], context(tmp_path))
    assert isinstance(gone, Rejection) and gone.evidence == "_half: its past can't be read: there is no lock"


def test_what_is_given_is_shown_to_whoever_answers(task: Task) -> None:
    asked = prompt(task)
    assert "def open_end(word: str)" in asked.user and "WEIGHT = " in asked.user and "don't repeat it" in asked.system
    assert asked.completion.startswith("# Python 3.11\n" + task.given.before)


def test_a_fence_in_what_is_given_does_not_end_it(task: Task) -> None:
    asked = prompt(replace(task, given=replace(task.given, before=task.given.before + "# ```\n"))).user
    assert "````python\n" in asked and asked.index("# ```\n````\n") < asked.index("This is the function")


ALONE = '''
def weigh_words(text, most=100):
    import re
    total, before = 0, ""
    for word in re.findall("[a-z]+", text.lower()):
        if word != before:
            total += 2 if word[-1] in "aeiou" else 1
        before = word
    return min(total, most)
'''


@pytest.mark.parametrize("answer", [
    ALONE,  # without the helpers
    "def open_end(word):\n    return word[-1:] in set('aeiou')\n\nends_open = open_end\n\n{reference}",  # with its own
    "{given}{reference}",  # all of it once more
    "from __future__ import annotations\n{reference}",
    '"""Words."""\nfrom __future__ import (\n    annotations,\n); import re\n\n{reference}',
])
def test_honest_answers_score(task: Task, machine: Machine, answer: str) -> None:
    text = answer.replace("{reference}", task.reference).replace("{given}", task.given.before)
    assert judge(task, text, machine).perfect


@pytest.mark.parametrize("answer", [
    "def weigh_words(text, most=100):\n    return len(cut(text))\n",  # a helper alone
    "def weigh_words(text, most=100):\n    return WEIGHT['open']\n",
    "WEIGHT['open'] = 7\ndef weigh_words(text, most=100):\n    return 7\n",
    "del WEIGHT\n{reference}",  # what it needs is gone
    "cut = lambda text: []\n{reference}",
    '"""\n{reference}',  # an open string
    "if False:\n    pass\n  {reference}",
    "",
])
def test_dishonest_answers_do_not(task: Task, machine: Machine, answer: str) -> None:
    found = judge(task, answer.replace("{reference}", task.reference), machine)
    assert not found.perfect and found.passed < 0.5 * found.total


def test_a_module_as_a_whole_is_refused_by_name(layered: Build) -> None:
    steps = explain(layered.folder, "through_module")
    assert steps[-1].outcome == "project_module" and "words" in steps[-1].evidence
    assert "function pieces of gamma/words.py" in as_text(explain(layered.folder, "weigh_words"))


def test_it_passes_all_gates_and_what_is_changed_is_found(layered: Build, release: Release) -> None:
    assert verify(str(layered.release), 1) == []


@pytest.mark.slow
def test_it_is_the_same_again(registry: Server, layered: Build, tmp_path: Path) -> None:
    config = configuration(tmp_path)
    config.with_suffix(".lock").write_bytes(layered.config.path.with_suffix(".lock").read_bytes())
    again = flow.build(config, Options(workers=2, folder=tmp_path / "build"))
    assert tree(again.release) == tree(layered.release)


def test_a_task_changes_with_what_is_given(task: Task) -> None:
    from harness.releases.rows import task_digest

    other = replace(task.given, before=task.given.before.replace("2", "3"))
    assert task_digest(task.instruction, task.cases, task.comparison, other) != task.task_digest
