"""The stage: functions in, runnable programs or refusals with evidence out."""

from __future__ import annotations

import pickle
from dataclasses import replace
from textwrap import dedent

import pytest

from harness.errors import UserError
from harness.records import task_id
from pipeline.classify import resolved_calls
from pipeline.classify.stage import ClassifyStage
from pipeline.config import ClassifyConfig
from pipeline.languages.python.language import PYTHON
from pipeline.languages.python.reading import READER
from pipeline.records import Candidate, Function, Reason, Rejection
from pipeline.stage import Context
from tests.pipeline.classify.expectations import ROOT
from tests.pipeline.making import WHERE


def functions(text: str, path: str = "widgets/text.py") -> list[Function]:
    """All functions of a module, as mining gives them."""
    text = dedent(text)
    return [
        Function(
            task_id("python", d.name, d.fingerprint), "python", d.name, d.qualified, d.source, text, d.fingerprint,
            replace(WHERE, path=path, line_start=d.line_start, line_end=d.line_end),
        )
        for d in READER.definitions(text)
    ]


@pytest.fixture
def context(tmp_path):
    return Context(7, tmp_path, tmp_path / "lock", ROOT / "data", "2026-05-01", "2026-11-01")


@pytest.fixture
def decide(context):
    """What becomes of the last function of a module."""
    def run(text: str, path: str = "widgets/text.py") -> Candidate | Rejection:
        return next(iter(ClassifyStage().run(functions(text, path)[-1:], context)))
    return run


def execute(candidate: Candidate, *args: object) -> object:
    names: dict[str, object] = {}
    exec(candidate.program, names)
    return names[candidate.function.name](*args)  # type: ignore[operator]


def test_a_function_without_dependencies_is_sc(decide):
    found = decide("import re\n\ndef double(a):\n    return 2 * a\n")
    assert (found.track, found.libraries, found.imports) == ("sc-python", (), ())
    assert found.program == "def double(a):\n    return 2 * a\n"


def test_a_program_has_what_it_needs_and_no_more(decide):
    found = decide("""
        from __future__ import annotations
        import os, re
        import numpy as np
        from typing import List, Optional

        @functools.lru_cache(maxsize=None)
        def first(xs: List[str], pattern: str = "a") -> Optional[str]:
            '''The first that matches.'''
            return next((x for x in xs if re.search(pattern, x)), None)
    """)
    assert found.track == "wsc-python"
    assert found.libraries == ("re",)
    assert found.imports == (
        "from __future__ import annotations", "from typing import List", "from typing import Optional", "import re",
    )
    assert found.program.split("\n\n\n")[0] == "\n".join(found.imports)
    assert execute(found, ["b", "ca"]) == "ca"


def test_a_static_method_becomes_a_plain_function(decide):
    found = decide("""
        import math

        class Geometry:
            @staticmethod
            def hypotenuse(a, b):
                text = '''
            kept as it is'''
                return math.sqrt(a * a + b * b), text
    """)
    assert found.program.startswith("import math\n\n\ndef hypotenuse(a, b):\n    text")
    assert execute(found, 3, 4) == (5.0, "\n            kept as it is".replace("            ", "    ", 1))


def test_recursion_runs(decide):
    assert execute(decide("def f(n):\n    return 1 if n < 2 else n * f(n - 1)\n"), 5) == 120


@pytest.mark.parametrize(("text", "reason", "evidence"), [
    ("LIMIT = 1\ndef f(a):\n    return a + LIMIT\n", Reason.PROJECT_DEPENDENT,
     "LIMIT (line 3): a variable of the module, line 1"),
    ("from widgets.parts import g\ndef f(a):\n    return g(a)\n", Reason.PROJECT_DEPENDENT,
     "widgets.parts.g (line 3): it is of the own project"),
    ("import os\ndef f(a):\n    return os.environ[a]\n", Reason.LIBRARY_NOT_ALLOWED,
     "os.environ (line 3): It reads and changes the machine."),
    ("def f(a):\n    return g(a)\n", Reason.UNSURE, "g (line 2): it is defined nowhere in the file"),
    ("import os\ndef f(a):\n    return os.environ[g(a)]\n", Reason.LIBRARY_NOT_ALLOWED,
     "os.environ (line 3): It reads and changes the machine.; g (line 3): it is defined nowhere in the file"),
    ("from m import *\ndef f(a):\n    return g(a)\n", Reason.UNSURE, "g (line 3): `from m import *` may define it"),
])
def test_a_refusal_names_the_names(decide, text, reason, evidence):
    found = decide(text)
    assert (found.stage, found.reason, found.evidence) == ("classify", reason.name.lower(), evidence)


def test_long_evidence_is_cut(decide):
    names = [f"N{i}" for i in range(20)]
    text = "\n".join(f"{name} = 1" for name in names) + f"\ndef f():\n    return {' + '.join(names)} + N1 + N2\n"
    assert decide(text).evidence.endswith("; and 12 more")


@pytest.mark.parametrize("body", ["print 'a'", "raise ValueError, 'a'", "return `a`", "return 0777"])
def test_python_2_never_becomes_a_candidate(decide, body):
    found = decide(f"def f(a):\n    {body}\n")
    assert isinstance(found, Rejection)
    assert found.reason in ("unparsable", "unsure")


def test_syntax_newer_than_the_runtime_is_refused(decide):
    found = decide("def f[T](a: T) -> T:\n    return a\n")
    assert found.reason == "unparsable"
    assert found.evidence.startswith("Python 3.11 refuses it")


def test_a_project_named_like_a_library_depends_on_itself(decide):
    text = "import numpy as np\ndef f(a):\n    return np.sum(a)\n"
    assert isinstance(decide(text), Candidate)
    assert decide(text, "numpy/core.py").reason == "project_dependent"
    assert decide(text, "src/numpy/core.py").reason == "project_dependent"
    assert isinstance(decide(text, "src/widgets/numpy/core.py"), Candidate)


def test_own_packages_are_the_project_and_its_outermost_folder():
    assert PYTHON.layout.own_packages("Some-Thing", "src/thing/sub/x.py") == {"some_thing", "thing"}
    assert PYTHON.layout.own_packages("owner/repo", "repo.py") == {"repo"}
    assert PYTHON.layout.own_packages("x", "./lib/y/z.py") == {"x", "y"}


def test_every_record_in_gives_one_out_in_order(context):
    records = functions("""
        import os
        def a(x): return x
        def b(x): return os.getcwd()
        class C:
            @staticmethod
            def c(x): return C
            @staticmethod
            def d(x): return [x]
    """)
    found = list(ClassifyStage().run(records, context))
    assert [f.id if isinstance(f, Candidate) else f.record_id for f in found] == [r.id for r in records]
    assert [type(f) for f in found] == [Candidate, Rejection, Rejection, Candidate]


def test_same_names_on_other_lines_are_told_apart(context):
    records = functions("if A:\n    def f(x): return x\nelse:\n    def f(x): return A\n")
    found = list(ClassifyStage().run(records, context))
    assert [type(f) for f in found] == [Candidate, Rejection]


def test_a_function_that_is_not_in_its_file_is_unsure(context):
    record = replace(functions("def f(a): return a\n")[0], module="x = 1\n")
    assert next(iter(ClassifyStage().run([record], context))).reason == "unsure"


def test_a_missing_list_is_the_users_to_mend(context, tmp_path):
    stage = ClassifyStage(ClassifyConfig("nowhere.toml"))
    with pytest.raises(UserError, match=r"nowhere\.toml"):
        list(stage.run(functions("def f(a): return a\n"), context))


def test_the_stage_can_be_pickled():
    assert pickle.loads(pickle.dumps(ClassifyStage())) == ClassifyStage()


def test_resolved_calls_give_full_names_and_lines():
    program = dedent("""\
        from datetime import datetime as dt
        import numpy as np
        import os.path


        def f(a, b=np.inf):
            import json as j
            rand = np.random.rand
            d = dt
            print(rand(a), d.now(), os.path.join(a))
            return [j.dumps(x, default=str) for x in open(a)], a.now()
    """)
    assert resolved_calls(program, PYTHON.naming) == [
        ("numpy.inf", 6), ("numpy.random.rand", 8), ("datetime.datetime", 9),
        ("builtins.print", 10), ("datetime.datetime.now", 10), ("numpy.random.rand", 10), ("os.path.join", 10),
        ("builtins.open", 11), ("builtins.str", 11), ("json.dumps", 11),
    ]
