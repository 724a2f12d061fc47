"""Language models as the last resort of the search: what they add, what goes back to them, what they can't do.

A model's server runs here; the client, the sandbox, Hypothesis and the search are the real ones.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from harness.languages import Machine
from pipeline import store
from pipeline.config import ModelConfig, SuiteConfig
from pipeline.executors.local import LocalExecutor
from pipeline.llm import Exchange
from pipeline.llm.desk import Office
from pipeline.records import Candidate, Rejection, Suite
from pipeline.stage import Context, Work, run_stage
from pipeline.suites.llm import strategy_inputs
from pipeline.suites.llm.resort import rescued, untaken
from pipeline.suites.llm.strategy_code import Unfit, as_function
from pipeline.suites.llm.strategy_inputs import Drawn, Source, draw
from pipeline.suites.stage import SuiteStage
from tests.pipeline.llm.model_server import ModelServer, serving
from tests.pipeline.making import candidate, context
from tests.pipeline.suites.conftest import LOCK
from tests.pipeline.suites.programs import COVERABLE, program

CONFIG = SuiteConfig(budget=600, cases=60, model="helper")
DOOR = '''
import zlib

def door(text: str, tries: int = 0) -> str:
    """Which door a word opens."""
    if tries > 3:
        raise ValueError("too many tries")
    if zlib.crc32(text.encode("utf-8", "replace")) == 2964457641:
        return "gate" + str(tries)
    return "wall" if len(text) > 4 else "hedge"
'''
NETWORK = '''
def network(card: str) -> str:
    """The network of a card number."""
    if not card.isdigit() or len(card) not in (15, 16):
        return "none"
    total = 0
    for place, digit in enumerate(reversed(card)):
        value = int(digit)
        if place % 2:
            value = value * 2 - (9 if value > 4 else 0)
        total += value
    if total % 10:
        return "mistyped"
    if card.startswith("402600"):
        return "electron"
    return "visa" if card[0] == "4" else "other"
'''
OPENS = '''
# A word that has this checksum.
from hypothesis import strategies as st

WORDS = ["sesame", "open", "wall of stone"]
arguments = st.fixed_dictionaries({"text": st.sampled_from(WORDS) | st.text(max_size=9), "tries": st.integers(0, 5)})
'''
CARDS = '''
from hypothesis import strategies as st

def check_digit(digits):
    """The digit that makes the sum a multiple of ten."""
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit)
        if place % 2 == 0:
            value = value * 2 - (9 if value > 4 else 0)
        total += value
    return str(-total % 10)

@st.composite
def cards(draw):
    start = draw(st.sampled_from(["402600", "4", "51", ""]))
    digits = start + draw(st.text("0123456789", min_size=15 - len(start), max_size=15 - len(start)))
    return {"card": digits + check_digit(digits)}

arguments = cards()
'''
IN_VAIN = "from hypothesis import strategies as st\narguments = st.fixed_dictionaries({'text': st.text(), 'tries': st.just(1)})"
ESCAPES = "import datetime\nfrom hypothesis import strategies as st\nos = datetime.sys.modules['os']\n"
"""The start of an answer that gets hold of what it may not import."""


@dataclass
class Scripted:
    """A model that gives its answers one after the other, the last one again and again; it keeps the questions."""

    answers: Sequence[str]
    questions: list[str] = field(default_factory=list)

    def __call__(self, body: dict[str, Any]) -> str:
        self.questions.append(body["messages"][-1]["content"])
        return json.dumps({"code": self.answers[min(len(self.questions), len(self.answers)) - 1]})


@contextmanager
def asking(folder: Path, *answers: str) -> Iterator[tuple[Scripted, ModelServer, Context]]:
    """A build whose model gives these answers."""
    mind = Scripted(answers)
    with serving(mind) as server:
        model = ModelConfig("clever-1", server.address, identity="clever", attempts=1)
        office = Office(models=(("helper", model),), folder=folder / "answers", account=folder / "account.json")
        yield mind, server, replace(context(folder), runtime=LOCK, office=office)


def results(
    here: Context, *texts: str, config: SuiteConfig = CONFIG
) -> tuple[list[Suite | Rejection], list[Exchange]]:
    """What becomes of functions, and what was asked for them."""
    made = list(SuiteStage(config).run([candidate(program(text)) for text in texts], here))
    return [one for one in made if not isinstance(one, Exchange)], [one for one in made if isinstance(one, Exchange)]


def property_test(suite: Suite, folder: Path) -> int:
    """How the published strategies end, run as a property test of the reference against itself."""
    folder.mkdir()
    (folder / "reference.py").write_text(suite.candidate.program)
    (folder / "candidate.py").write_text(suite.candidate.program)
    (folder / "test_candidate.py").write_text(suite.strategies)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, capture_output=True, cwd=folder, check=False).returncode


@pytest.mark.parametrize(("text", "answer", "rare"), [
    pytest.param(DOOR, OPENS, "gate", id="a word with a checksum"),
    pytest.param(NETWORK, CARDS, "electron", id="a check digit", marks=pytest.mark.slow),  # another whole suite
])
def test_what_a_model_knows_rescues_a_function(
    text: str, answer: str, rare: str, tmp_path: Path, machine: Machine
) -> None:
    with asking(tmp_path, answer) as (mind, _, here):
        (suite,), asked = results(here, text)
    assert isinstance(suite, Suite), suite
    assert suite.strength.branch_coverage == 1.0 and len(suite.cases) >= CONFIG.cases
    assert any(str(case.expected.value).startswith(rare) for case in suite.cases)
    told = json.loads(suite.specification)["asked"]
    assert told.pop("left_out") > 0
    assert told == {"model": "clever-1", "answers": 1, "reason": "coverage_below_100"}
    assert [(one.record_id, one.stage, one.fault) for one in asked] == [(suite.id, "suite", "")]
    assert len(mind.questions) == 1
    assert "def asked_1():" in suite.strategies and "asked_1().map(" in suite.strategies
    assert ast.parse(suite.strategies) and property_test(suite, tmp_path / "published") == 0


@pytest.mark.slow  # several whole suites
def test_questions_of_several_functions_go_side_by_side(tmp_path: Path, machine: Machine) -> None:
    def mind(body: dict[str, Any]) -> str:
        return json.dumps({"code": CARDS if "def network" in body["messages"][-1]["content"] else OPENS})

    with asking(tmp_path) as (_, server, here):
        server.mind, server.pause = mind, 0.5
        made, _ = results(here, DOOR, NETWORK)
        assert server.most_at_once == server.requests == 2
    assert [one.candidate.function.name for one in made if isinstance(one, Suite)] == ["door", "network"]


def test_a_model_is_told_the_function_its_types_what_is_missing_and_its_errors(tmp_path: Path, machine: Machine) -> None:
    wrong = OPENS.replace("st.integers(0, 5)", "st.integers(5, 0)")
    with asking(tmp_path, "def (", "import os", wrong, OPENS) as (mind, _, here):
        (suite,), asked = results(here, DOOR)
    assert isinstance(suite, Suite)
    question = mind.questions[0]
    assert '  8         return "gate" + str(tries)' in question
    assert "text: str" in question and "tries: int" in question
    assert "line 7: `zlib.crc32(text.encode('utf-8', 'replace')) == 2964457641` is never true" in question
    assert "The code is no Python" in mind.questions[1] and "it imports os" in mind.questions[2]
    assert "InvalidArgument: Cannot have max_value=0 < min_value=5" in mind.questions[3]
    assert len(asked) == 4 and sorted(bool(one.fault) for one in asked) == [False, True, True, True]
    assert json.loads(suite.specification)["asked"]["answers"] == 4


@pytest.mark.slow  # a whole suite
def test_all_strategies_that_had_a_part_are_published(tmp_path: Path, machine: Machine) -> None:
    with asking(tmp_path, IN_VAIN, OPENS) as (mind, _, here):
        (suite,), _ = results(here, DOOR)
    assert isinstance(suite, Suite)
    assert "different inputs were drawn" in mind.questions[1] and "is never true" in mind.questions[1]
    assert "def asked_1():" in suite.strategies and "def asked_2():" in suite.strategies
    assert property_test(suite, tmp_path / "published") == 0


@pytest.mark.slow  # three rounds of search
def test_what_never_works_leaves_after_three_rounds_and_says_so(tmp_path: Path, machine: Machine) -> None:
    answers = [f"{IN_VAIN}\n# {number}" for number in range(9)]
    with asking(tmp_path, *answers) as (mind, _, here):
        (gone,), asked = results(here, DOOR)
    assert isinstance(gone, Rejection) and gone.reason == "coverage_below_100"
    assert gone.evidence.startswith("missing: line 7 to line 8")
    assert "clever-1 was asked for strategies, 4 answers, in vain: " in gone.evidence
    assert len(mind.questions) == len(asked) == 4 and all(one.fault for one in asked)


@pytest.mark.slow  # suites of two functions, one of them with a question
def test_few_inputs_and_mostly_errors_are_worth_a_question_but_nothing_else(tmp_path: Path, machine: Machine) -> None:
    picky = '''
    def picky(code: str) -> str:
        """The kind of a code."""
        if not code.startswith("q7-") or not code[3:].isdigit() or sum(map(int, code[3:])) != 31:
            raise ValueError("no such code")
        return "odd" if len(code) % 2 else "even"
    '''
    codes = '''
from hypothesis import strategies as st
halves = st.integers(2, 9).flatmap(lambda n: st.permutations(list("99") + [str(n), str(9 - n), "4"]))
arguments = st.tuples(halves, st.booleans()).map(lambda p: {"code": "q7-" + "".join(p[0]) + "0" * p[1]})
'''
    with asking(tmp_path, codes) as (mind, _, here):
        (suite, flat), _ = results(here, picky, "def flat(n: int) -> int:\n    return 0 if n == 4 else 1\n")
    assert isinstance(suite, Suite), suite
    assert json.loads(suite.specification)["asked"]["reason"] in ("mostly_errors", "coverage_below_100")
    assert isinstance(flat, Rejection) and len(mind.questions) == 1


@pytest.mark.slow  # suites are built twice
def test_the_same_answers_give_the_same_bytes_without_a_request(tmp_path: Path, machine: Machine) -> None:
    records = [candidate(program(text)) for text in (DOOR, COVERABLE[8])]
    with asking(tmp_path, IN_VAIN, OPENS) as (_, server, here):
        outputs = [_run(records, replace(here, offline=bool(n)), tmp_path / f"out{n}") for n in range(2)]
        assert server.requests == 2
    assert outputs[0] == outputs[1]
    assert rescued(tmp_path / "out0") == (1, 1)


def _run(records: Sequence[Candidate], here: Context, folder: Path) -> dict[str, bytes]:
    run_stage(Work(SuiteStage(CONFIG), records, len(records), "key", folder), here, LocalExecutor(1))
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_without_a_model_nobody_is_asked_and_nothing_is_different(tmp_path: Path, machine: Machine) -> None:
    with asking(tmp_path, OPENS) as (mind, _, here):
        (gone, suite), asked = results(here, DOOR, COVERABLE[8], config=replace(CONFIG, model=""))
        assert not mind.questions and not asked
        (_, again), _ = results(here, DOOR, COVERABLE[8])
    assert isinstance(gone, Rejection) and "asked" not in gone.evidence
    assert isinstance(suite, Suite) and suite == again and "asked" not in json.loads(suite.specification)
    assert rescued(tmp_path) == (0, 0)


def test_what_was_asked_in_vain_is_counted(tmp_path: Path) -> None:
    one = Exchange("key", "suite", "a", "p", "m", "{}", "", "stop", 1, 1, 0.0, "no")
    store.write(tmp_path / "000000.asked.parquet", Exchange, [one, replace(one, key="other"), replace(one, record_id="b")])
    store.write(tmp_path / "000000.kept.parquet", Suite, [])
    assert rescued(tmp_path) == (2, 0)


@pytest.mark.slow  # four rounds of search, where hostile strategies are drawn from by themselves below
def test_a_hostile_answer_costs_the_others_nothing(tmp_path: Path, machine: Machine) -> None:
    hostile = [f"{ESCAPES}os.kill(0, 9)", f"{ESCAPES}while True: os.fork()", f"{ESCAPES}exit = os.abort()", OPENS]
    with asking(tmp_path, *hostile) as (mind, _, here):
        (suite, other), _ = results(here, DOOR, COVERABLE[8])
    assert isinstance(suite, Suite) and isinstance(other, Suite)
    assert suite.strategies.count("def asked_") == 1 and len(mind.questions) == 4


@pytest.fixture
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategy_inputs, "LIMITS", replace(strategy_inputs.LIMITS, cpu_seconds=3.0))


def _drawn(code: str, machine: Machine) -> Drawn:
    source = as_function(code, "asked_1", program(DOOR))
    return draw(Source(source, "asked_1", ("text", "tries"), 7), machine)


FORGED = "[os.write(n, b'{\"inputs\": %s, \"refused\": [], \"long\": 0}') for n in (3, 4)]; os.abort()"
HOSTILE = {
    "without end": ("while True: pass", "more than 20 CPU seconds"),
    "huge": ("arguments = st.just({'text': 'a' * 10**10, 'tries': 0})", "too much memory"),
    "long": ("arguments = st.just({'text': 'a' * 10**6, 'tries': 0})", "longer than"),
    "exit": ("raise SystemExit(0)", "raise SystemExit"),
    "dies": ("os.abort()", "end the process"),
    # Which of its limits it meets first is another one each time.
    "forks": ("while True: os.fork()", "end the process or other inputs each"),
    "a file": ("os.open('/etc/passwd', 0)", "raise FileNotFoundError"),
    "forged, no JSON": ("[os.write(n, b'{]') for n in (3, 4)]; os.abort()", "end the process"),
    "forged, no inputs": (FORGED % "[1, 2]", "end the process"),
    "forged, other names": (FORGED % '[{"x": 1}]', "end the process"),
    "chance": ("n = int.from_bytes(os.urandom(4))\narguments = st.just({'text': '', 'tries': n})", "other inputs each"),
    "no Hypothesis": ("datetime.sys.modules['hypothesis.strategies'] = None\narguments = st.text()", "gives str"),
}


@pytest.mark.usefixtures("_impatient")
@pytest.mark.parametrize("name", HOSTILE)
def test_whatever_strategies_do_they_give_inputs_or_a_sentence(name: str, machine: Machine) -> None:
    code, said = HOSTILE[name]
    drawn = _drawn(f"{ESCAPES}{code}", machine)
    assert not drawn.inputs and drawn.fault.endswith(".") and any(one in drawn.fault for one in said.split(" or ")), drawn


@pytest.mark.slow  # rounds of search in vain
def test_forged_inputs_are_looked_at_like_any_others(tmp_path: Path, machine: Machine) -> None:
    forged = '[{"text": {"$": "no such type"}, "tries": 1}, {"text": [[]], "tries": {"$": "int", "v": "x"}}]'
    answers = [f"{ESCAPES}{FORGED % forged}  # {number}" for number in range(9)]
    with asking(tmp_path, *answers) as (_, _, here):
        (gone,), _ = results(here, DOOR)
    assert isinstance(gone, Rejection) and gone.reason == "coverage_below_100"
    assert "in vain: 2 different inputs were drawn" in gone.evidence


REFUSED = {
    "def (": "The code is no Python: invalid syntax (line 1).",
    "x = '\0'": "The code ",
    "(" * 300: "The code ",
    "-" * 15_000 + "1": "The code can't be read as Python.",
    "x" * 30_000: "The code has 30000 characters, more than 20000.",
    "import os, sys": "The code may not do this: it imports os; it imports sys.",
    "from . import x": "The code may not do this: it imports from a package.",
    "from math import *": "The code may not do this: it imports * from math.",
    "import hypothesis\nhypothesis.given = 3": "The code may not do this: it changes hypothesis.given.",
    "x = ().__class__": "The code may not do this: it uses the attribute __class__.",
    "setattr(st, 'text', 3)": "The code may not do this: it uses setattr.",
    "open('x')": "The code may not do this: open opens files.",
    "import random\nx = random.random()": "The code may not do this: random.random draws random numbers without a seed.",
    "from datetime import date\nx = date.today()": "The code may not do this: datetime.date.today reads the clock.",
    "def f():\n    global x\n    x = 3": "The code may not do this: global x writes the module's state.",
}


@pytest.mark.parametrize("code", REFUSED, ids=lambda code: repr(code[:40]))
def test_what_is_published_does_no_more_than_a_function_may(code: str) -> None:
    with pytest.raises(Unfit) as refusal:
        as_function(code, "asked_1", program(DOOR))
    assert str(refusal.value).startswith(REFUSED[code])


def test_what_the_function_imports_its_strategies_may_import() -> None:
    text = "import numpy as np\nfrom __future__ import annotations\narguments = np.zeros(3)"
    with pytest.raises(Unfit, match="imports numpy"):
        as_function(text, "asked_1", program(DOOR))
    made = as_function(text, "asked_1", "import numpy\n")
    assert made == "def asked_1():\n    import numpy as np\n    arguments = np.zeros(3)\n    return arguments"


@pytest.mark.slow  # a whole suite, whose printed test is run
def test_parameters_of_all_kinds_get_what_strategies_give(tmp_path: Path, machine: Machine) -> None:
    text = """
    import zlib

    def total(first: int, *others: int, word: str = "", **rest: int) -> int:
        \"\"\"A sum, if the word and a name are right.\"\"\"
        if zlib.crc32(word.encode("utf-8", "replace")) == 2964457641 and len(others) > 2:
            return first + sum(others)
        if sorted(rest) == ["quux", "xyzzy"]:
            return sum(rest.values())
        return first
    """
    code = """
from hypothesis import strategies as st
numbers = st.integers(-99, 99)
named = st.fixed_dictionaries({"xyzzy": numbers, "quux": numbers}) | st.dictionaries(st.text("ab"), numbers, max_size=3)
arguments = st.fixed_dictionaries({
    "first": numbers, "others": st.lists(numbers, max_size=6), "word": st.sampled_from(["sesame", ""]), "rest": named})
"""
    with asking(tmp_path, code) as (_, _, here):
        (suite,), _ = results(here, text)
    assert isinstance(suite, Suite), suite
    assert property_test(suite, tmp_path / "published") == 0


UNTAKEN = """
def f(x, rows):
    if x > 3:
        return 1
    for row in rows:
        if row:
            break
    else:
        x = 2
    while x < 0:
        x += 1
    try:
        x = int(x)
    except ValueError:
        x = 0
    match x:
        case 1:
            return 5
    return x
"""


@pytest.mark.parametrize(("goals", "said"), [
    ([[3, 4], [4, 0]], ["line 3: `x > 3` is never true"]),
    ([[3, 5]], ["line 3: `x > 3` is never false"]),
    ([[5, 6]], ["line 5, `for row in rows:`: its body never runs"]),
    ([[5, 9]], ["line 5, `for row in rows:`: it never runs out of items"]),
    ([[10, 11]], ["line 10: `x < 0` is never true"]),
    ([[15, 0]], ["line 15, `x = 0`: never runs"]),
    ([[17, 18]], ["line 17, `case 1:`: never goes on to line 18, `return 5`"]),
    ([[17, -2]], ["line 17, `case 1:`: the function never ends there"]),
    ([], []),
])
def test_what_is_missing_is_told_with_its_condition(goals: list[list[int]], said: list[str]) -> None:
    assert untaken(UNTAKEN, goals) == said
