"""How a project calls its functions: what its tests and its code pass becomes evidence for inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pipeline.records import Candidate, Function, LockedSource, Rejection
from pipeline.sources.call_sites import CallsStage
from pipeline.sources.lock import write_lock
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.pipeline.sources.conftest import MIT, NEW, Server, sdist

CALLER = """
from pkg.runs import longest_run

def test_run():
    assert longest_run("aab", "a") == 2
    assert longest_run("mail bob.smith@corp-mail.com", "m") == 1
"""
Calls = Callable[..., Candidate | Rejection]


@pytest.fixture
def asked(server: Server, lock: Callable[..., LockedSource | Rejection], context: Context) -> Calls:
    """What the stage gives for `longest_run` in `pkg/runs.py` of a project with these files."""

    def run(files: dict[str, str], public: str = "longest_run") -> Candidate | Rejection:
        server.upload("demo", "1.0", "2026-01-01", sdist({"old.py": "X = 1\n"}))
        server.upload("demo", "2.0", "2026-06-01", sdist({"LICENSE": MIT, **files}, top="demo-2.0"))
        locked = lock("demo")
        assert isinstance(locked, LockedSource)
        write_lock(context.data / "sources.lock", [locked])
        [mined] = [
            one for one in MineStage().run([locked], context)
            if isinstance(one, Function) and one.provenance.path == "pkg/runs.py"
        ]
        original = mined.name if public != mined.name else ""
        candidate = Candidate(replace(mined, name=public), "sc-python", (), (), mined.source, original=original)
        [found] = CallsStage(context.data / "sources.lock").run([candidate], context)
        return found

    return run


def calls(found: Candidate | Rejection) -> tuple[str, ...]:
    assert isinstance(found, Candidate)
    return found.function.calls


@pytest.mark.parametrize("public", ["longest_run", "streak"])
def test_the_calls_in_the_project_s_tests_are_evidence_but_nothing_personal_is(asked: Calls, public: str) -> None:
    own = {"pkg/runs.py": f"{NEW}\nX = longest_run('zz', letter='z')\n", "tests/test_runs.py": CALLER}
    found = asked({**own, "pkg/use.py": "from pkg.all import longest_run\nlongest_run('q', 'q')\n"}, public)
    assert calls(found) == ("'aab', 'a'", "'zz', letter='z'", "'q', 'q'")


def test_calls_of_another_function_of_that_name_are_none_of_its_own(asked: Calls) -> None:
    own = {"pkg/runs.py": NEW, "tests/test_runs.py": CALLER, "pkg/jogs.py": "def longest_run(a):\n    return a\n"}
    use = "from pkg.jogs import longest_run\nfrom pkg import jogs\nlongest_run('q', 'q')\njogs.longest_run('r', 'r')\n"
    found = asked({**own, "pkg/use.py": use, "tests/jogs.py": "longest_run('s', 't')\n"})
    assert calls(found) == ("'aab', 'a'",)


def test_a_file_that_cannot_be_read_has_no_calls(asked: Calls) -> None:
    found = asked({"pkg/runs.py": NEW, "tests/test_runs.py": CALLER, "tests/test_worse.py": "longest_run('a', 'b'\n"})
    assert calls(found) == ("'aab', 'a'",)


def test_a_project_that_is_gone_is_told_of_its_candidates(asked: Calls, context: Context) -> None:
    found = asked({"pkg/runs.py": NEW})
    assert isinstance(found, Candidate)
    write_lock(context.data / "gone.lock", [])
    [left] = CallsStage(context.data / "gone.lock").run([found], context)
    assert isinstance(left, Rejection) and (left.reason, left.record_id) == ("project_gone", found.id)
