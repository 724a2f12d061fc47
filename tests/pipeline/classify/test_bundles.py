"""Bundles: functions with what they need of their own file, and why some can't take it along."""

from __future__ import annotations

import sys
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from pipeline.classify.bundles import Bundle, Refused, Surroundings, bundle
from pipeline.classify.libraries import load
from pipeline.classify.module import cached_module
from pipeline.classify.rules import classify
from pipeline.classify.stage import ClassifyStage
from pipeline.config import ClassifyConfig
from pipeline.languages.python.language import PYTHON
from pipeline.records import Candidate, Reason, Rejection
from pipeline.sources.project_files import ProjectFiles
from pipeline.stage import Context
from scripts.check_bundles import open_names
from tests.pipeline.classify.expectations import ROOT
from tests.pipeline.classify.test_stage import execute, functions


def decide(text: str, folder: Path, config: ClassifyConfig | None = None) -> Candidate | Rejection:
    """What becomes of the last function of a module, where functions may take along what they need."""
    context = Context(7, folder, folder / "lock", ROOT / "data", "2026-05-01", "2026-11-01")
    stage = ClassifyStage(config or ClassifyConfig(), bundles=True)
    [found] = stage.run(functions(text)[-1:], context)
    return found


LAYERED = '''
    import math
    import os

    LIMIT = 3
    NAMES = {"a": LIMIT, "b": 2 * LIMIT}

    def unused(x):
        return os.getcwd()

    # What stands above a helper is not its own.
    def half(x):
        """Half of it."""  # kept
        return x / 2

    def deep(x):
        return half(x) + math.floor(x)

    def f(name, x):
        return NAMES[name] + deep(x)
'''


def test_a_function_takes_along_what_it_needs_and_nothing_else(tmp_path: Path) -> None:
    found = decide(LAYERED, tmp_path)
    assert [(one.names, one.kind) for one in found.members] == [
        ("LIMIT", "constant"), ("NAMES", "constant"), ("half", "function"), ("deep", "function")]
    assert (found.layers, found.libraries, found.track) == (2, ("math",), "lsc-python")
    assert found.program == found.before + found.answer and found.answer.startswith("def f(")
    assert '"""Half of it."""  # kept' in found.before and "unused" not in found.before and "os" not in found.before
    assert execute(found, "b", 5) == 6 + 2.5 + 5
    assert list(open_names(found.program)) == []
    half = found.members[2]
    assert dedent(LAYERED).splitlines()[half.line_start - 1 : half.line_end] == half_of(found.before)


def half_of(text: str) -> list[str]:
    return text[text.index("def half") :].split("\n\n\n")[0].splitlines()


def test_with_constants_alone_it_has_no_layers(tmp_path: Path) -> None:
    found = decide("import re\nP = re.compile('a')\nQ: dict = {1: P}\ndef f(x):\n    return Q[1].sub('b', x)\n", tmp_path)
    assert (found.layers, found.track) == (0, "wsc-python") and execute(found, "bab") == "bbb"


@pytest.mark.parametrize("text", [
    "def even(n):\n    return n == 0 or f(n - 1)\ndef f(n):\n    return n != 0 and even(n - 1)\n",  # through itself
    "def a(n):\n    return n if n < 2 else b(n - 1)\ndef b(n):\n    return a(n)\ndef f(n):\n    return a(n)\n",
    "from dataclasses import dataclass\n@dataclass\nclass P:\n    x: int\ndef f(n):\n    return P(n).x\n",
    "import typing\nfrom enum import Enum\n@typing.final\nclass C(Enum):\n    A = 1\ndef f(n):\n    return C(n).name\n",
    "from typing import NamedTuple\nclass P(NamedTuple):\n    x: int = 3\ndef f(n):\n    return P().x + n\n",
    "from enum import Enum\nclass C(Enum):\n    A = 1\n    B = 2\ndef f(n):\n    return C(n).name\n",
    "from typing import TypedDict\nclass D(TypedDict, total=False):\n    a: int\ndef f(n: D):\n    return n.get('a')\n",
    "class Bad(ValueError):\n    '''It is bad.'''\nclass Worse(Bad):\n    pass\ndef f(n):\n    if n:\n        raise Worse(n)\n",
    "import functools\n@functools.lru_cache\ndef g(n):\n    return n + 1\ndef f(n):\n    return g(n)\n",
    "class K:\n    @staticmethod\n    def f(n):\n        return g(n)\ndef g(n):\n    return n\ndef unused():\n    pass\n",
    "from typing import Annotated\nMOST = 3\ndef f(n: Annotated[int, MOST]):\n    return n\n",
    "def g(n=3):\n    return n\nTABLE = {'g': g}\ndef f(n):\n    return TABLE[n]()\n",
])  # fmt: skip
def test_what_can_be_taken_along_loads_by_itself(tmp_path: Path, text: str) -> None:
    which = 0 if "staticmethod" in text else -1
    context = Context(7, tmp_path, tmp_path / "lock", ROOT / "data", "2026-05-01", "2026-11-01")
    [found] = ClassifyStage(bundles=True).run(functions(text)[which:][:1], context)
    assert isinstance(found, Candidate), found
    assert list(open_names(found.program)) == []
    module = sys.modules["bundle"] = ModuleType("bundle")
    exec(compile(found.program, "bundle", "exec", dont_inherit=True), module.__dict__)
    assert callable(module.f)


@pytest.mark.parametrize(("text", "reason", "evidence"), [
    ("X = 1\nX = 2\ndef f(n):\n    return X + n\n", "project_dependent", "X (line 4)"),
    ("import sys\nif sys.maxsize > 9:\n    X = 1\ndef f(n):\n    return X + n\n", "project_dependent", "X (line 5)"),
    ("X = 1\nY = X\nX = 2\ndef f(n):\n    return Y + n\n", "project_dependent", "in Y, X"),
    ("X = {}\nX['a'] = 1\ndef f(n):\n    return X[n]\n", "computed_constant", "X in widgets/text.py is changed in place"),
    ("X = []\ndef add(n):\n    X.append(n)\ndef f(n):\n    return n in X\n", "computed_constant", "changed in place"),
    ("def f(n):\n    global X\n    X = n\n    return X\nX = 1\n", "project_dependent", "X"),
    ("def made():\n    return 1\nX = made()\ndef f(n):\n    return X + n\n", "computed_constant", "made is called for X"),
    ("X = (n for n in range(3))\ndef f(n):\n    return next(X) + n\n", "computed_constant", "calls use up"),
    ("key = lambda n: -n\ndef f(n):\n    return sorted(n, key=key)\n", "computed_constant", "by a function"),
    ("def deco(g):\n    return g\n@deco\ndef g(n):\n    return n\ndef f(n):\n    return g(n)\n", "unfit_helper", "@deco"),
    ("async def g(n):\n    return n\ndef f(n):\n    return g(n)\n", "unfit_helper", "asynchronous"),
    ("def g(n):\n    yield n\ndef f(n):\n    return list(g(n))\n", "unfit_helper", "a generator"),
    ("class A:\n    def m(self):\n        return 1\ndef f(n):\n    return A().m() + n\n", "project_class", "more than hold"),
    ("class M(type):\n    pass\nclass A(metaclass=M):\n    x = 1\ndef f(n):\n    return A.x + n\n", "project_class", "metaclass"),
    ("class E(Exception):\n    def __init__(self, n):\n        pass\ndef f(n):\n    raise E(n)\n", "project_class", "more than"),
    ("def f(n):\n    return TABLE[0](n)\nTABLE = [f]\n", "computed_constant", "TABLE holds f itself"),
    ("from .b import g\ndef f(n):\n    return g(n)\n", "project_module", ".b.g is a module, or none of the project's"),
    ("import torch\ndef g(n):\n    return torch.exp(n)\ndef f(n):\n    return g(n)\n", "library_not_allowed", "in g, torch.exp"),
    ("from other import *\ndef f(n):\n    return g(n)\n", "unsure", "may define it"),
    ("def g(n):\n    from .b import h\n    return h(n)\ndef f(n):\n    return g(n)\n", "project_dependent", "in g, .b.h"),
    ("PASSWORD = 'AKIAIOSFODNN7EXAMPLQ'\ndef f(n):\n    return n == PASSWORD\n", "secret", "PASSWORD in widgets/text.py"),
])  # fmt: skip
def test_what_can_t_be_taken_along_is_told(tmp_path: Path, text: str, reason: str, evidence: str) -> None:
    which = next(one for one in functions(text) if one.name == "f")
    context = Context(7, tmp_path, tmp_path / "lock", ROOT / "data", "2026-05-01", "2026-11-01")
    [found] = ClassifyStage(bundles=True).run([which], context)
    assert isinstance(found, Rejection), found.program
    assert found.reason == reason and evidence in found.evidence


def closing(files: dict[str, str]) -> Bundle:
    """The bundle of `f` in the file `pkg/a.py` of a project."""
    texts = {path: dedent(text) for path, text in files.items()}
    module = cached_module(texts["pkg/a.py"], "python")
    unit = module.unit("f", 0)
    assert unit is not None
    allowed = load(ROOT / "data" / "libraries.toml")
    around = Surroundings(ProjectFiles(texts), "pkg", PYTHON, allowed, ClassifyConfig(), ("functools.cache",))
    return bundle("pkg/a.py", unit, classify(module, unit, allowed, frozenset({"pkg"})), around)


USES = "from .b import g\ndef f(x):\n    return g(x)\n"


@pytest.mark.parametrize("files", [
    {"pkg/a.py": USES, "pkg/b.py": "def g(x):\n    return x\n"},
    {"pkg/a.py": USES, "pkg/b/__init__.py": "from .c import g\n", "pkg/b/c.py": "def g(x):\n    return x\n"},
    {"pkg/a.py": "from pkg.b import h as g\ndef f(x):\n    return g(x)\n", "pkg/b.py": "def h(x):\n    return x\n"},
    {"pkg/a.py": USES, "pkg/b.py": "from .c import h as k\ndef g(x):\n    return k(x)\n", "pkg/c.py": "def h(x):\n    return x\n"},
    {"pkg/a.py": "from ..b import g\ndef f(x):\n    return g(x)\n", "b.py": "def g(x):\n    return x\n"},
    {"pkg/a.py": "import math\n" + USES, "pkg/b.py": "import math\nN = math.pi\ndef g(x):\n    return x * N / N\n"},
    {"pkg/a.py": USES, "pkg/b.py": "from pkg import a\nfrom .c import X\ndef g(x):\n    return x + X\n", "pkg/c.py": "X = 0\n"},
])  # fmt: skip
def test_members_come_from_other_files_of_the_project(files: dict[str, str]) -> None:
    made = closing(files)
    text = made.before(PYTHON.members) + "def f(x):\n    return g(x)\n"
    assert list(open_names(text)) == []
    names: dict[str, Any] = {}
    exec(compile(text, "bundle", "exec", dont_inherit=True), names)
    assert names["f"](3) == 3


@pytest.mark.parametrize(("files", "reason"), [
    ({"pkg/a.py": USES + "def h(x):\n    return 1\n", "pkg/b.py": "def h(x):\n    return x\ndef g(x):\n    return h(x)\n",
      "pkg/c.py": ""}, None),  # nothing of the other name is needed
    ({"pkg/a.py": "from .b import g\ndef h(x):\n    return 1\ndef f(x):\n    return g(x) + h(x)\n",
      "pkg/b.py": "def h(x):\n    return x\ndef g(x):\n    return h(x)\n"}, "NAME_CLASH"),
    ({"pkg/a.py": USES, "pkg/b.py": "def f(x):\n    return x\ndef g(x):\n    return f(x)\n"}, "NAME_CLASH"),  # another f
    ({"pkg/a.py": "from .b import filter\ndef f(x):\n    return h(filter(x))\ndef h(x):\n    return x\n",
      "pkg/b.py": "from .c import k\ndef filter(x):\n    return k(x)\n", "pkg/c.py": "def k(x):\n    return filter(None, x)\n"},
     "NAME_CLASH"),  # the language's own name means something else there
    ({"pkg/a.py": "import numpy as np\n" + USES.replace("g(x)", "np.abs(g(x))"),
      "pkg/b.py": "import math as np\ndef g(x):\n    return np.sin(x)\n"}, "NAME_CLASH"),
    ({"pkg/a.py": "from .b import g\nX = 1\ndef f(x):\n    return g(x)\n",
      "pkg/b.py": "from .a import X\ndef g(x):\n    return x + X\n"}, "NAME_CLASH"),  # a circle
    ({"pkg/a.py": "from . import b\ndef f(x):\n    return b.g(x)\n", "pkg/b.py": "def g(x):\n    return x\n",
      "pkg/__init__.py": ""}, "PROJECT_MODULE"),
    ({"pkg/a.py": USES, "pkg/b.py": "from numpy import sort as g\n"}, "PROJECT_MODULE"),  # a library's, by way of the project
    ({"pkg/a.py": USES, "pkg/b.py": "from .c import g\n", "pkg/c.py": "from .b import g\n"}, "PROJECT_MODULE"),
    ({"pkg/a.py": USES, "pkg/b.py": "if 1:\n    g = 2\n"}, "REBOUND"),
    ({"pkg/a.py": USES, "pkg/b.py": "def g(x):\n    return x\ntype A = g.x\n"}, "UNPARSABLE"),  # a later Python's
    ({"pkg/a.py": USES, "pkg/b.py": "# SPDX-License-Identifier: GPL-3.0-only\ndef g(x):\n    return x\n"}, "FILE_LICENCE"),
    ({"pkg/a.py": USES, "pkg/b.py": "# Generated by a tool, do not edit\ndef g(x):\n    return x\n"}, "GENERATED"),
])  # fmt: skip
def test_what_other_files_say_against_it(files: dict[str, str], reason: str | None) -> None:
    if reason is None:
        assert [part.name for part in closing(files).parts] == ["h", "g"]
        return
    with pytest.raises(Refused) as found:
        closing(files)
    assert found.value.reason is Reason[reason], found.value.evidence


def test_there_are_limits(tmp_path: Path) -> None:
    chain = "".join(f"def g{n}(x):\n    return g{n + 1}(x)\n" for n in range(8))
    text = chain + "def g8(x):\n    return x\ndef f(x):\n    return g0(x)\n"
    assert decide(text, tmp_path).reason == "too_many_members"
    found = decide(text, tmp_path, ClassifyConfig(max_layers=9))
    assert found.layers == 9 and execute(found, 4) == 4
    assert decide(text, tmp_path, ClassifyConfig(max_layers=9, max_members=8)).reason == "too_many_members"


def test_without_them_a_function_leaves_as_before(tmp_path: Path) -> None:
    context = Context(7, tmp_path, tmp_path / "lock", ROOT / "data", "2026-05-01", "2026-11-01")
    [found] = ClassifyStage().run(functions(LAYERED)[-1:], context)
    assert found.reason == "project_dependent"
