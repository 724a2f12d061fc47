"""What becomes of each definition of a source, reason by reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from harness.records import task_id
from pipeline.config import MineConfig
from pipeline.records import Function, LockedSource, Rejection
from pipeline.sources.mine import MineStage
from pipeline.sources.uploads import Upload
from pipeline.stage import Context
from tests.pipeline.sources.conftest import MIT, NEW, OLD, Server, outcome, sdist

Mine = Callable[..., dict[str, Function | Rejection]]


@pytest.fixture
def mined(server: Server, mine: Mine) -> Callable[..., dict[str, Function | Rejection]]:
    """Mine a project whose older release holds `old` and whose newer one holds `new`, both by path."""

    def run(new: dict[str, str | bytes], old: dict[str, str | bytes] | None = None, config: MineConfig | None = None):
        server.upload("demo", "1.0", "2026-01-01", sdist(old or {"old.py": OLD}))
        server.upload("demo", "2.0", "2026-06-01", sdist({"LICENSE": MIT, **new}, top="demo-2.0"))
        return mine("demo", config=config)

    return run


def test_a_new_function_carries_its_text_and_where_it_came_from(mined: Mine, server: Server) -> None:
    server.project("demo", project_urls={"Source": "https://github.com/a/demo"})
    text = f"import os\n{NEW}"
    found = mined({"src/pkg/runs.py": text})["longest_run"]
    assert isinstance(found, Function)
    assert found.source == NEW.lstrip("\n")
    assert found.module == text
    assert (found.name, found.qualified, found.language) == ("longest_run", "longest_run", "python")
    assert found.id == task_id("python", "longest_run", found.fingerprint)
    where = found.provenance
    assert (where.project, where.domain, where.url) == ("demo", "System Utilities", "https://github.com/a/demo")
    assert (where.path, where.line_start, where.line_end) == ("src/pkg/runs.py", 3, 9)
    assert (where.revision, where.revision_date, where.author_date) == ("2.0", "2026-06-01T12:00:00Z", "")
    assert where.archive == "demo-2.0.tar.gz"
    assert len(where.archive_sha256) == 64
    assert where.baseline == ("demo-1.0.tar.gz",)
    assert 0 <= where.similarity < 0.5
    assert (where.licence, where.licence_source) == ("MIT", "license_expression")


VERSION = NEW.replace("best = run = 0", "best = 0\n    run = 0")
DATED = {
    "what the archives of the window lack came after them": (OLD, OLD, "2026-07-15", "2026-09-01"),
    "what one of them has came before it": (OLD, NEW, "2026-05-07", "2026-07-15"),
    "what the first has may be older than the window": (NEW, NEW, "2026-01-01", "2026-05-07"),
    "and so may what was taken out again": (NEW, OLD, "2026-01-01", "2026-05-07"),
    "a version of it is as good": (VERSION, VERSION, "2026-01-01", "2026-05-07"),
    "the same code under another name, too": (OLD, NEW.replace("longest_run", "runs"), "2026-05-07", "2026-07-15"),
    "another function of that name is none": (OLD.replace("widest", "longest_run"), OLD, "2026-07-15", "2026-09-01"),
}


@pytest.mark.parametrize(("first", "second", "not_before", "first_seen"), DATED.values(), ids=DATED)
def test_a_function_is_dated_by_the_archives_of_the_window(
    server: Server, mine: Mine, first: str, second: str, not_before: str, first_seen: str
) -> None:
    held = {"1.0": ("2026-01-01", OLD), "1.1": ("2026-05-07", first), "1.2": ("2026-07-15", second), "2.0": ("2026-09-01", NEW)}
    for version, (day, text) in held.items():
        server.upload("demo", version, day, sdist({"a.py": text}))
    where = mine("demo", config=MineConfig(dating_archives=2))["longest_run"].provenance
    assert (where.not_before[:10], where.first_seen[:10]) == (not_before, first_seen)
    assert (where.revision, where.state, where.baseline) == ("2.0", "2.0", ("demo-1.0.tar.gz",))


@pytest.mark.parametrize(("strict", "day", "expected"), [
    (False, "2026-05-07", "new"), (True, "2026-05-07", "not_shown"), (True, "2026-05-06", "new"),
])
def test_a_strict_window_takes_what_is_shown_to_be_younger_alone(
    server: Server, lock: Callable, context: Context, strict: bool, day: str, expected: str
) -> None:
    server.upload("demo", "1.0", "2026-01-01", sdist({"a.py": OLD}))
    server.upload("demo", "1.1", "2026-05-06", sdist({"a.py": OLD if day == "2026-05-06" else NEW}))
    server.upload("demo", "2.0", "2026-06-01", sdist({"a.py": NEW}))
    [found] = MineStage(strict=strict).run([lock("demo")], context)
    assert outcome(found) == expected
    if expected == "not_shown":
        assert found.evidence == "by what lacks it, it may be of 2026-01-01"


def test_nothing_is_downloaded_to_date_what_is_old(server: Server, mine: Mine) -> None:
    for version, day in {"1.0": "2026-01-01", "1.1": "2026-05-07", "2.0": "2026-06-01"}.items():
        server.upload("demo", version, day, sdist({"a.py": OLD + f"# {version}"}))
    mine("demo")
    assert server.asked["demo-1.1.tar.gz"] == 0


CODE = '''
class Box:
    def method(self, x):
        return x + 1 if x else 2

    @staticmethod
    def static(x):
        return x + 1 if x else 3

    @property
    def prop(self):
        return 1

def outer(x):
    def inner(y):
        return y + x
    return inner(1) + inner(2)

async def coroutine(x):
    return x

def generator(x):
    yield x

@functools.lru_cache(maxsize=8)
def cached(x):
    return x * x if x > 2 else 1

@register("x")
def decorated(x):
    return x - 1

def broken(x):
    return x + + + )

def mail(x):
    return {"to": "jane.doe@gmail.com"}[x]

def key(x):
    return "AKIAIOSFODNN7ABCDEFG" + x
'''
KINDS = {
    "Box.method": "method", "Box.static": "new", "Box.prop": "method", "outer": "new",
    "outer.inner": "nested", "coroutine": "async", "generator": "generator", "cached": "new",
    "decorated": "decorated", "broken": "unparsable", "mail": "secret", "key": "secret",
}


def test_each_kind_of_definition_leaves_with_its_reason(mined: Mine) -> None:
    found = mined({"a.py": CODE})
    assert {name: outcome(result) for name, result in found.items()} == KINDS
    assert found["decorated"].evidence == "@register"
    assert "jane" not in repr(found["mail"])
    assert "AKIA" not in repr(found["key"])


@pytest.mark.parametrize("path", [
    "tests/a.py", "src/pkg/tests/a.py", "docs/conf.py", "examples/a.py", "pkg/_vendor/x/a.py", "pkg/test_a.py",
    "pkg/conftest.py", "benchmarks/a.py", "build/lib/a.py", "pkg/demo/a.py", "pkg/x_pb2.py", "setup.py", "pkg/migrations/0001.py", "Third_Party/a.py",
])
def test_code_that_does_not_count_is_known_by_its_path(mined: Mine, path: str) -> None:
    found = mined({path: NEW, "keep.py": "def one(x):\n    return x + 1\n"})
    assert outcome(found[path]) == "excluded_folder" and "longest_run" not in found
    assert outcome(found["one"]) == "new"


@pytest.mark.parametrize("path", ["pkg/documents.py", "pkg/testing_tools.py", "src/pkg/contest.py", "pkg/tasks.py", "src/build/a.py"])
def test_code_whose_path_only_looks_like_it_counts(mined: Mine, path: str) -> None:
    assert outcome(mined({path: NEW})["longest_run"]) == "new"


HEADERS = {
    "# This file was generated by protoc.": "generated",
    "# DO NOT EDIT!": "generated",
    '"""Autogenerated by a script."""': "generated",
    "# Automatically generated.": "generated",
    "# SPDX-License-Identifier: GPL-3.0-or-later": "file_licence",
    "# Licensed under the GNU General Public License, version 2": "file_licence",
    "# SPDX-License-Identifier: BSD-2-Clause": "new",
    "# Helpers for auto-generated names of columns": "new",
    "# Tokens generated by the lexer": "new",
    '"""Work with text generated by models."""': "new",
    "# NOTE: This file was auto-generated with MetaTools.": "generated",
    "# Copyright (c) 2026 Demo": "new",
}


@pytest.mark.parametrize(("header", "expected"), HEADERS.items())
def test_a_files_header_decides_about_all_of_it(mined: Mine, header: str, expected: str) -> None:
    found = mined({"a.py": f"{header}\n{NEW}", "b.py": "def one(x):\n    return x + 1\n"})
    assert outcome(found["longest_run" if expected == "new" else "a.py"]) == expected
    assert outcome(found["one"]) == "new"


def test_a_permissive_header_is_the_functions_licence(mined: Mine) -> None:
    where = mined({"a.py": f"# SPDX-License-Identifier: BSD-2-Clause\n{NEW}"})["longest_run"].provenance
    assert (where.licence, where.licence_source) == ("BSD-2-Clause", "the header of a.py")


def test_a_project_one_of_whose_licence_texts_binds_more_leaves(mined: Mine) -> None:
    bundled = "What is bundled: libvideo, under the GNU Affero General Public License version 3."
    found = mined({"a.py": NEW, "LICENSE-3RD-PARTY.txt": bundled})
    assert [outcome(one) for one in found.values()] == ["licence"]
    assert "LICENSE-3RD-PARTY.txt, LICENSE say AGPL-3.0-only AND MIT" in next(iter(found.values())).evidence


DRESSES = {
    "as it was": OLD,
    "renamed": OLD.replace("widest", "broadest"),
    "with another docstring, comments and annotations": OLD.replace("gap=2", "gap: int = 2")
    .replace("The width", "Width").replace("best = 0", "best = 0  # none"),
    "with one thing changed": OLD.replace("best = 0", "best = 1"),
    "moved into a class": "class A:\n    @staticmethod" + OLD.replace("\n", "\n    ") + "\n",
}


@pytest.mark.parametrize("text", DRESSES.values(), ids=DRESSES)
def test_old_code_in_a_new_dress_is_old(mined: Mine, text: str) -> None:
    found = mined({"new.py": text})
    assert [outcome(r) for r in found.values()] == ["prior_to_cutoff"]
    assert "widest in old.py (demo-1.0.tar.gz)" in next(iter(found.values())).evidence


def test_code_that_was_in_the_tests_of_an_older_release_is_old(mined: Mine) -> None:
    assert outcome(mined({"a.py": NEW}, {"tests/test_a.py": NEW})["longest_run"]) == "prior_to_cutoff"


def test_another_function_of_the_same_name_is_new(mined: Mine) -> None:
    assert outcome(mined({"a.py": NEW.replace("longest_run", "widest")})["widest"]) == "new"


@pytest.mark.parametrize(("name", "expected"), [("runs", "prior_to_cutoff"), ("ways", "new")])
def test_a_function_written_anew_to_its_old_description_is_old(mined: Mine, name: str, expected: str) -> None:
    words = "".join(f"    Line {n} of a description that says all about it.\n" for n in range(9))
    old = f'def runs(text, letter):\n    """Count.\n\n{words}    """\n    return text.count(letter)\n'
    new = old.replace("return text.count(letter)", "return sum(1 for a in text if a == letter and a != text)")
    found = mined({"a.py": new.replace("def runs", f"def {name}")}, {"old.py": old})[name]
    assert outcome(found) == expected
    if isinstance(found, Rejection):
        assert "of its text, documentation included, stood in runs in old.py" in found.evidence


def test_what_was_cut_out_of_an_older_function_is_old(mined: Mine) -> None:
    body = NEW.split('"""\n')[1].replace("    return best\n", "")
    old = f"def everything(text, letter, rows):\n{body}    print(best)\n    return rows[best] if rows else best\n"
    found = mined({"a.py": NEW}, {"old.py": old})["longest_run"]
    assert outcome(found) == "prior_to_cutoff"
    assert "of it stood in everything" in found.evidence
    assert outcome(mined({"a.py": NEW}, {"old.py": old}, MineConfig(copy_similarity=1.1))["longest_run"]) == "new"


def test_every_archive_of_the_baseline_counts(server: Server, mine: Mine) -> None:
    server.upload("demo", "1.9", "2026-03-01", sdist({"a.py": NEW}))
    server.upload("demo", "2.0", "2026-02-01", sdist({"a.py": OLD}))
    server.upload("demo", "2.1", "2026-06-01", sdist({"a.py": OLD + NEW}))
    assert {outcome(r) for r in mine("demo").values()} == {"prior_to_cutoff"}


def test_the_same_function_twice_in_a_project_is_kept_once(mined: Mine) -> None:
    found = mined({"a.py": NEW, "b.py": NEW.replace("longest_run", "again")})
    assert outcome(found["longest_run"]) == "new"
    assert (outcome(found["again"]), found["again"].evidence) == ("duplicate", "the same as longest_run in a.py")


def test_a_function_that_its_file_defines_twice_is_kept_once(server: Server, lock: Callable, context: Context) -> None:
    server.upload("demo", "1.0", "2026-01-01", sdist({"a.py": OLD}))
    server.upload("demo", "2.0", "2026-06-01", sdist({"a.py": NEW + "\n\n" + NEW}))
    assert [outcome(found) for found in MineStage().run([lock("demo")], context)] == ["new", "duplicate"]


FILES = {
    "undecodable": b"def f(x):\n    return '\xff\xfe'\n",
    "undecodable by its own word": b"# -*- coding: klingon -*-\n",
    "too_large": b"#" * 2_000_000,
}


@pytest.mark.parametrize(("kind", "data"), FILES.items(), ids=FILES)
def test_a_file_that_cannot_be_read_leaves_as_a_whole(mined: Mine, kind: str, data: bytes) -> None:
    found = mined({"bad.py": data, "good.py": NEW})
    rejection = found["bad.py"]
    assert isinstance(rejection, Rejection)
    assert (rejection.unit, rejection.reason, rejection.record_id) == ("file", kind.split()[0], "pypi:demo:bad.py")
    assert outcome(found["longest_run"]) == "new"


def test_a_file_that_is_nested_without_end_loses_nothing_else(mined: Mine) -> None:
    deep = "def f(x):\n    return " + "(" * 30_000 + "x" + ")" * 30_000 + "\n"
    found = mined({"deep.py": deep, "good.py": NEW})
    assert outcome(found["longest_run"]) == "new"
    assert len(found) == 2


def test_unreadable_files_of_the_baseline_are_passed_over(mined: Mine) -> None:
    assert outcome(mined({"a.py": NEW}, {"old.py": FILES["undecodable"], "b.py": OLD})["longest_run"]) == "new"


def whole(server: Server, lock: Callable, context: Context, new: bytes) -> Rejection:
    """The rejection of a source that is refused as a whole."""
    server.upload("demo", "1.0", "2026-01-01", sdist({"old.py": OLD}))
    server.upload("demo", "2.0", "2026-06-01", new)
    locked = lock("demo")
    assert isinstance(locked, LockedSource)
    [found] = MineStage().run([locked], context)
    assert isinstance(found, Rejection)
    assert (found.unit, found.record_id) == ("source", "pypi:demo")
    return found


WHOLE = {
    "corrupt_source": b"no archive",
    "no_functions": sdist({"a.py": "x = 1\n", "b.txt": NEW}),
    "licence": sdist({"a.py": NEW, "LICENSE": "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007"}),
}


@pytest.mark.parametrize(("reason", "new"), WHOLE.items(), ids=WHOLE)
def test_a_source_that_gives_nothing_leaves_with_its_reason(
    server: Server, lock: Callable, context: Context, reason: str, new: bytes
) -> None:
    assert whole(server, lock, context, new).reason == reason


def test_a_damaged_baseline_refuses_the_source_and_keeps_nothing(
    server: Server, lock: Callable, context: Context
) -> None:
    server.upload("demo", "0.9", "2025-12-01", b"no archive")
    assert whole(server, lock, context, sdist({"a.py": NEW})).reason == "corrupt_source"


def test_every_definition_of_a_file_that_counts_is_kept_or_rejected_once_and_in_order(server: Server, lock: Callable, context: Context) -> None:
    files = {"b.py": CODE, "a.py": OLD + NEW, "tests/test_x.py": CODE}
    server.upload("demo", "1.0", "2026-01-01", sdist({"old.py": OLD}))
    server.upload("demo", "2.0", "2026-06-01", sdist(files))
    results = list(MineStage().run([lock("demo")], context))
    count = Counter(r.provenance.path if isinstance(r, Function) else r.path for r in results)
    assert count == {"a.py": 2, "b.py": len(KINDS), "tests/test_x.py": 1}
    paths = [r.provenance.path if isinstance(r, Function) else r.path for r in results]
    assert paths == sorted(paths)
    assert results == list(MineStage().run([lock("demo")], context))


def test_an_upload_knows_its_release_line() -> None:
    from packaging.version import Version

    from pipeline.records import Archive

    archive = Archive("1", "f", "s", "2026-01-01T00:00:00Z", 1)
    lines = [Upload(Version(v), archive, True, False, "").line for v in ("4.2.30", "5", "1!2.0.1")]
    assert lines == [(0, 4, 2), (0, 5, 0), (1, 2, 0)]


METHODS = '''
class Box:
    @classmethod
    def parse(cls, text, sep=","):
        """Split a text into its parts."""
        return [part.strip() for part in text.split(sep) if part.strip()]

    @classmethod
    def made(cls, text):
        return cls(text)

    def shift(self, values, by):
        return [value + by for value in values if value > by]

    def size(self):
        return len(self.parts)
'''


@pytest.mark.parametrize("before", [OLD, METHODS], ids=["new", "old"])
def test_methods_that_need_nothing_of_their_class_are_functions_where_they_are_asked_for(
    server: Server, mine: Mine, before: str
) -> None:
    server.upload("demo", "1.0", "2026-01-01", sdist({"box.py": before}))
    server.upload("demo", "2.0", "2026-06-01", sdist({"LICENSE": MIT, "box.py": METHODS}, top="demo-2.0"))
    assert not [one for one in mine("demo").values() if isinstance(one, Function)]
    found = {name: one for name, one in mine("demo", methods=True).items() if isinstance(one, Function)}
    if before == METHODS:  # what was a method before is as old as it was
        assert not found
        return
    assert found.keys() == {"Box.parse", "Box.shift"}
    assert found["Box.parse"].source.splitlines()[1] == 'def parse(text, sep=","):'
    assert found["Box.shift"].source.startswith("def shift(values, by):")
    assert found["Box.shift"].id == task_id("python", "shift", found["Box.shift"].fingerprint)
