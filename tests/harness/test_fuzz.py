"""Fuzzing what an answer can hand to the judge: nothing raises, takes long or takes much memory *of the judge*."""

from __future__ import annotations

import collections
import datetime
import json
import math
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.answers.extraction import extract
from harness.languages import Machine
from harness.languages.python.showing import candidates_answer
from harness.records import Answer, Comparison, Spectrum
from harness.scoring.judging import Fairness, judge, measure
from harness.values import encode
from harness.values.comparison import agree
from tests.harness.answers.tasks import TASKS
from tests.harness.make_release import make_task
from tests.harness.test_values import PANDAS, PARTS, SPARSE

SECONDS, MEGABYTES = 1.0, 100.0
"""What one answer may take of the judge at most."""
HASTY = Fairness(case_floor=0.5, total_floor=2.0, memory_bytes=1024**3)


@dataclass
class Cost:
    """The CPU seconds and the megabytes that something took of this process."""

    seconds: float = 0.0
    megabytes: float = 0.0


def _status(name: str) -> float:
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1]) / 1024


@contextmanager
def cost() -> Iterator[Cost]:
    """Measure the process: the clock that its threads share, and the peak of its memory above where it began."""
    Path("/proc/self/clear_refs").write_text("5")
    before, started, found = _status("VmRSS"), time.process_time(), Cost()
    yield found
    found.seconds, found.megabytes = time.process_time() - started, _status("VmHWM") - before


def assert_cheap(what: object, act: Callable[[], Any]) -> Any:
    """Do something that may not cost more than an answer may; once more where another process may have been in the way."""
    for last in (False, True):
        with cost() as found:
            result = act()
        if found.seconds < SECONDS and found.megabytes < MEGABYTES:
            return result
        assert not last, (found, what)
    return None


TOKENS = [
    "a", "a\n", "@a\n", "```", "```\n", "```python\n", "a1=a0\n", "def f(x):\n", "    return x\n", "(", "[", "{", "\n", "\n\n", " ", "    ", "'", "'''", '"""', '"',
    "#", "# ...\n", "<a>", "</a>", "<pre>", "<code>", "</think>", "<think>", '{"a":', "\\n", "\\", "`", "~~~", "> ", ">>> ", "... ", "1 ", "| ", "+", "-", "import a\n",
    "from a import f\n", "f = f\n", "f = a\n", "class A:\n", "    def f(self): return 1\n", "if a:\n", "else:\n", "elif a:\n", "x" * 50, "0x" + "f" * 5000, "f'{", "}", "é", "\u200b",
    "\u00a0", "<|im_end|>", "Sure, here it is:\n", "return\n", "*", "lambda:", ";", "a;", "a,", ".a", "def f(x): return (\n", "%%\n", "!a\n", "In [1]: ", "a=1\n", "f'{a}'\n",
    "A: def f(", "&lt;", "\x00", "\ud800", "\r", "\t", "(yield ", "async ", "match a:\n case b: ", "f'{f\"{a}\"}'", "0o7", "1e999", "\f", "'\\N{X}'", "type X = a\n",
]
TASK = make_task("f", 'def f(x):\n    """Return x."""\n    return x\n', [(1,)])


def spliced(rng: random.Random, size: int) -> str:
    """A text of so many characters that repeats a few tokens, with others around."""
    some = [
        "".join(rng.choice(TOKENS) for _ in range(rng.randint(low, high))) for low, high in ((0, 4), (1, 4), (1, 3), (0, 4))
    ]
    front, unit, other, behind = some
    first = rng.choice((size, size // 2))
    return (front + (unit * (first // len(unit) + 1))[:first] + (other * (size // len(other) + 1))[: size - first] + behind)[:size]


@pytest.mark.slow
@pytest.mark.parametrize(("size", "rounds"), [(200, 4000), (12_000, 400), (100_000, 80), (1_000_000, 60)])
def test_any_text_is_extracted_from_soon(size: int, rounds: int) -> None:
    rng = random.Random(size)
    for _ in range(rounds):
        text = spliced(rng, size)
        assert isinstance(assert_cheap(text[:200], lambda text=text: extract(text, TASK)), str)


FENCES = "".join(f"{' ' * 4 * indent}{'`' * count}python\nx\n{' ' * 4 * indent}{'`' * count}\n" for count in range(34, 3, -1) for indent in range(32))
NEEDY = "```python\n" + "".join(f"a{n} = {n}\n" for n in range(9000)) + "```\n```python\ndef f(x):\n    return [" + ", ".join(f"a{n}" for n in range(9000)) + "]\n```\n"
LITTLE = [FENCES, NEEDY, "@a\n" * 4000, "`" * 3 + "a" * 300_000 + "`", "".join(f"a{n} = a{n + 1}\n" for n in range(4000)) + "def f(x): return a0\n", "f = " + "0x" + "f" * 5000 + "\n", "(" * 90_000, "\n" * 999_999, " " * 999_999]


@pytest.mark.parametrize("number", range(len(LITTLE)))
def test_texts_that_once_took_long_take_none(number: int) -> None:
    assert_cheap(number, lambda: extract(LITTLE[number], TASK))


@pytest.mark.slow
def test_pieces_of_honest_answers_are_extracted_from_too() -> None:
    rng = random.Random(7)
    texts = [path.read_bytes().decode() for path in sorted((Path(__file__).parent / "answers" / "texts").glob("*.txt"))]
    for _ in range(2000):
        parts = [rng.choice(texts) for _ in range(rng.randint(1, 3))]
        cuts = [sorted(rng.randrange(len(part) + 1) for _ in range(2)) for part in parts]
        text = "".join(part[start:end] for part, (start, end) in zip(parts, cuts, strict=True))
        task = rng.choice(list(TASKS.values()))
        assert isinstance(assert_cheap(text, lambda text=text, task=task: extract(text, task)), str)


# Encoded values


VALUES = [
    *PANDAS, *PARTS, *SPARSE, 1, 1.5, "text", b"bytes", True, None, [1, 2.5], (1, "a"), {1, 2}, frozenset({(1, 2)}), {"a": [1, (2,)]}, {1: {2}}, 1j, 10**30, math.nan, Decimal("1.5"),
    datetime.datetime(2020, 1, 1), [0.1 * n for n in range(50)], {0.1 * n for n in range(50)}, collections.OrderedDict(a=1), collections.Counter("aab"), iter(()),
    np.arange(6.0).reshape(2, 3), np.array([1, "a"], dtype=object), np.float32(0.5), np.ma.array([1.5, 2], mask=[0, 1]), pd.RangeIndex(5), pd.Index(["a", None]), pd.Timestamp("2020"),
    pd.Timedelta("1D"), pd.date_range("2020", periods=3), pd.interval_range(0, 3),
]
SAMPLES = [encode(value, 100) for value in VALUES]
ATOMS: list[Any] = [
    None, True, 0, -1, 2**52, 10**400, 1e308, "", "a", "x" * 10_000, "\ud800", [], {}, [[]] * 100, {"$": "tuple", "v": []}, {"$": "RangeIndex", "name": None, "v": [0, 1 << 60, 1]},
    {"$": "RangeIndex", "name": None, "v": [0, 20_000_000, 1]}, {"$": "range", "v": [0, 1 << 60, 1]}, {"$": "Pattern", "flags": 32, "v": "(a+)+" * 100}, {"$": "int", "v": "0x" + "f" * 100_000},
    {"$": "Decimal", "v": "1e999999999"}, {"$": "ndarray", "dtype": "<f8", "shape": [0, 1 << 60], "v": ""}, {"$": "ndarray", "dtype": "|O", "shape": [1], "v": [{"$": "RangeIndex", "name": None, "v": [0, 1 << 30, 1]}]},
    {"$": "ndarray", "dtype": "<U99999999", "shape": [], "v": ""}, {"$": "sparse", "type": "csr_array", "shape": [2**31 - 1, 2**31 - 1], "places": [], "v": []}, {"$": "Fraction", "v": [1, 3]}, {"$": "timedelta", "v": [10**9, 0, 0]},
    {"$": "bytes", "v": "A" * 10_000}, {"$": "str", "v": "zz" * 1000}, {"$": "type", "v": ["|"] * 9}, {"$": 5}, {"$": "float", "v": "nan"},
]


def mutated(rng: random.Random, data: Any, depth: int = 0) -> Any:
    """An encoded value with parts of it replaced, repeated, moved or nested."""
    if rng.random() < 0.08 + 0.04 * depth:
        return rng.choice(ATOMS)
    if isinstance(data, list):
        items = [mutated(rng, item, depth + 1) for item in data]
        return items * rng.choice((1, 1, 1, 3)) if len(items) < 1000 else items
    if isinstance(data, dict):
        return {key: mutated(rng, value, depth + 1) for key, value in data.items() if rng.random() > 0.03}
    if isinstance(data, str) and rng.random() < 0.2:
        return data[rng.randrange(len(data) + 1) :] + rng.choice(("", "0", "=", "-", "\x1b[2J"))
    return data


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_any_encoded_value_is_compared_and_shown_soon(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(2500):
        expected, other = rng.choice(SAMPLES), rng.choice(SAMPLES)
        given = mutated(rng, json.loads(json.dumps(rng.choice((expected, other)))))
        rule = Comparison(unordered=rng.random() < 0.3, mutation=rng.random() < 0.3, messages=True)

        def act(expected: Any = expected, given: Any = given, rule: Comparison = rule) -> tuple[str, str]:
            answer = Answer("returned", given, mutated=given if rule.mutation else None)
            return agree(Answer("returned", expected), answer, rule), candidates_answer(answer)

        difference, shown = assert_cheap(given, act)
        assert difference.isprintable() and len(difference) < 600 and shown.isprintable() and len(shown) < 700


# Programs


RESULTS = [
    "pd.Series([pd.RangeIndex(10**8)]).to_numpy()", "pd.RangeIndex(10**12)", "range(10**15)", "np.zeros((0, 2**40))", "np.broadcast_to(np.int8(0), (10**9,))", "'x' * 3_000_000", "[[]] * 300_000",
    "[{}] * 300_000", "{n: n / 7 for n in range(60_000)}", "{n / 7 for n in range(20_000)}", "[(n / 7, 'a') for n in range(20_000)]", "10**4000", "Decimal('1e999999')", "sp.coo_array((2**31 - 2, 2**31 - 2))",
    "pd.MultiIndex.from_product([range(300), range(300)])", "pd.interval_range(0, 20_000)", "pd.period_range('2000', periods=20_000)", "pd.Categorical.from_codes([0] * 100_000, ['a'])",
    "functools.reduce(lambda a, _: [a], range(95), 1)", "re.compile('(a|b)*' * 100)", "memoryview(b'a')", "np.array(['a' * 100_000])", "iter(range(100_000))", "{frozenset(range(n)) for n in range(400)}",
    "[float(n) + 1e-10 for n in range(30_000)][::-1]", "np.ma.masked_array(np.arange(9.0), [1] * 9)", "object()", "type('X', (list,), {'__iter__': lambda s: iter(int, 1)})([1])", "b'a' * 2_000_000",
]
HEAD = "import functools, os, re\nfrom decimal import Decimal\nimport numpy as np, pandas as pd, scipy.sparse as sp\n\n"
FORGED = "\ndef f(x):\n    line = {!r}\n    try:\n        while line:\n            line = line[os.write(250, line):]\n    except OSError:\n        pass\n    os._exit(0)\n"


@pytest.mark.slow
@pytest.mark.parametrize("result", RESULTS)
def test_any_result_of_a_program_is_judged_soon(result: str, machine: Machine) -> None:
    inputs = [(n,) for n in range(60)]
    for reference in ("x", "[x / 7] * 50", "set(range(x))"):
        task = make_task("f", f'def f(x):\n    """Return it."""\n    return {reference}\n', inputs)
        timing = measure(task, machine, HASTY)
        program = f"{HEAD}def f(x):\n    return {result}\n"
        verdict = assert_cheap(result, lambda task=task, timing=timing, program=program: judge(task, program, machine, HASTY, timing))
        assert verdict.outcome is not Spectrum.PERFECT and verdict.detail.isprintable()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_any_line_that_a_program_forges_is_read_soon(seed: int, machine: Machine) -> None:
    rng = random.Random(seed)
    given = mutated(rng, json.loads(json.dumps(rng.choice(SAMPLES))))
    parts = {"cpu": rng.choice((0.1, "x", [], 1e400)), "status": rng.choice(("returned", "raised", "known", 5)), "value": given, "is": rng.choice(([], ["ValueError"], {}, [[]]))}
    line = rng.choice((
        json.dumps(parts), json.dumps(parts)[: rng.randrange(40)], "[" * 100_000, "{" + '"a":{' * 50_000, "[[],[],[],[]" + ",[]" * 900_000 + "]", "\x00" * 1000, "9" * 900_000, '{"cpu":' + "9" * 5000 + "}",
    ))
    task = make_task("f", 'def f(x):\n    """Return x."""\n    return x\n', [(n,) for n in range(20)])
    timing = measure(task, machine, HASTY)
    program = HEAD + FORGED.format((line + "\n").encode("utf-8", "surrogatepass") * rng.choice((1, 2, 20)))
    verdict = assert_cheap(line[:200], lambda: judge(task, program, machine, HASTY, timing))
    assert verdict.passed <= 1
