"""The screen as a stage: what is kept with which measures, and each reason for leaving."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import ScreenConfig
from pipeline.records import Candidate, Reason, Rejection
from pipeline.screen.stage import ScreenStage
from tests.pipeline.making import candidate, context

REFUSED = {
    "no return": (Reason.NO_RETURN, "def f(x):\n    if x:\n        return None\n    x.append(1)"),
    "constant": (Reason.CONSTANT_RETURN, "def f(x):\n    if x:\n        raise ValueError(x)\n    return True"),
    "no parameters": (Reason.NO_PARAMETERS, "def f():\n    n = 1\n    if n:\n        return [n]\n    return 2"),
    "simple": (Reason.TOO_SIMPLE, "def f(x):\n    return x + 1"),
    "complex": (Reason.TOO_COMPLEX, "def f(x):\n" + "".join(
        f"    if x == {i}:\n        return {i + 1}\n" for i in range(10)) + "    return x"),
    "unparsable": (Reason.UNPARSABLE, None),
}

BRANCH = "    if not x:\n        return 0\n"
EFFECTS = {
    "a path that may exist": "(x / 'a').exists()", "files of a folder": "sorted(x.glob('*'))",
    "print": "print(x)", "open": "open(x)", "input": "input(x)", "exec": "exec(x)", "eval": "eval(x)",
    "globals": "globals()[x]", "global": "global y\n    y = x", "environment": "import os\n    os.environ[x]",
    "disk": "from os.path import exists\n    exists(x)", "cwd": "import os.path as p\n    p.abspath(x)",
    "path": "import pathlib\n    pathlib.Path(x).read_text()", "network": "import urllib.request as r\n    r.urlopen(x)",
    "log": "import logging\n    logging.getLogger(x)", "warning": "from warnings import warn\n    warn(x)",
    "numpy file": "import numpy as np\n    np.load(x)", "pandas file": "import pandas as pd\n    pd.read_csv(x)",
    "on the function": "f.seen = x", "stdout": "import sys\n    sys.stdout.write(x)", "exit": "import sys\n    sys.exit(x)",
}
CHANCE = {
    "id": "id(x)", "hash": "hash(x)", "now": "import datetime\n    datetime.datetime.now()",
    "date.today": "from datetime import date\n    date.today()", "time": "from time import time as t\n    t()",
    "random": "import random\n    random.random()", "shuffle": "from random import shuffle\n    shuffle(x)",
    "unseeded": "import random\n    random.Random()", "numpy": "import numpy as np\n    np.random.rand(x)",
    "uuid": "import uuid\n    uuid.uuid4()", "handed on": "import time\n    list(map(time.time, x))",
    "local time": "import time\n    time.localtime(x)", "gmtime": "import time\n    time.gmtime()",
}
HARMLESS = {
    "seeded": "import random\n    random.Random(x)", "gmtime": "import time\n    time.gmtime(x)",
    "paths": "import os\n    os.path.join(x, os.sep)", "a local called print": "print = x\n    print(x)",
    "a parameter's method": "x.open()", "limits": "import sys\n    sys.maxsize",
    "a generator": "import numpy as np\n    np.random.default_rng(x)", "quoting": "import urllib.parse as u\n    u.quote(x)",
}


def screen(program: str) -> Candidate | Rejection:
    return ScreenStage(ScreenConfig()).screen(candidate(program))


@pytest.mark.parametrize(("reason", "program"), REFUSED.values(), ids=REFUSED.keys())
def test_each_reason(reason: Reason, program: str | None) -> None:
    if program is None:
        record = candidate("def f(x):\n    return x")
        result = ScreenStage().screen(Candidate(record.function, "sc-python", (), (), "def f(x:\n"))
    else:
        result = screen(program)
    assert isinstance(result, Rejection)
    assert result.reason == reason.name.lower()
    assert result.evidence


@pytest.mark.parametrize("line", EFFECTS.values(), ids=EFFECTS.keys())
def test_effects_are_refused(line: str) -> None:
    result = screen(f"def f(x):\n{BRANCH}    {line}\n    return x")
    assert isinstance(result, Rejection)
    assert result.reason == "impure"


@pytest.mark.parametrize("line", CHANCE.values(), ids=CHANCE.keys())
def test_chance_is_refused(line: str) -> None:
    result = screen(f"def f(x):\n{BRANCH}    {line}\n    return x")
    assert isinstance(result, Rejection)
    assert result.reason == "nondeterministic_call"


@pytest.mark.parametrize("line", HARMLESS.values(), ids=HARMLESS.keys())
def test_harmless_uses_stay(line: str) -> None:
    assert isinstance(screen(f"def f(x):\n{BRANCH}    {line}\n    return x"), Candidate)


def test_a_default_that_keeps_state_is_refused() -> None:
    result = screen("def f(x, seen=[]):\n    if x:\n        seen.append(x)\n    return seen")
    assert isinstance(result, Rejection)
    assert "mutable default" in result.evidence


def test_what_its_helpers_decide_does_not_make_a_function_complex() -> None:
    helper = "def g(x):\n    return [y for y in x if y and y > 1 or y < -1] if x else []\n\n\n"
    simple = replace(candidate(f"{helper}def f(x):\n    return g(x)[:3]"), layers=1)
    refused = ScreenStage(ScreenConfig()).screen(simple)
    assert isinstance(refused, Rejection) and refused.reason == "too_simple"
    more = replace(candidate(f"{helper}def f(x):\n    if not x:\n        return []\n    return g(x)"), layers=1)
    assert isinstance(ScreenStage(ScreenConfig()).screen(more), Candidate)


def test_a_changed_parameter_is_part_of_the_behaviour() -> None:
    assert isinstance(screen("def f(x, y):\n    if y:\n        x.append(y)\n    return x"), Candidate)


def test_the_evidence_names_the_line_of_the_function() -> None:
    result = screen("import os\n\n\ndef f(x):\n    if x:\n        return os.getcwd()\n    return x")
    assert isinstance(result, Rejection)
    assert result.evidence == "Line 3: os.getcwd uses the operating system."


def test_what_is_kept_is_measured() -> None:
    result = screen('''
        def f(x):
            """Text.

            More of it.
            """
            total = 0
            # a comment
            for a in x:
                if a:
                    total += (a +
                              1)
                elif a is None:
                    total -= 1

            return total
    ''')
    assert isinstance(result, Candidate)
    assert result.measures is not None
    assert (result.measures.complexity, result.measures.depth, result.measures.branches) == (4, 2, 6)
    assert result.measures.lines == 9


def test_every_record_is_accounted_for(tmp_path: Path) -> None:
    records = [candidate(program) for _, program in REFUSED.values() if program]
    results = list(ScreenStage().run(records, context(tmp_path)))
    assert [r.record_id for r in results if isinstance(r, Rejection)] == [r.id for r in records]
