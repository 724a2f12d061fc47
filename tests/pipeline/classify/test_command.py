"""`code2bench classify`: a line per function, a sentence per file that can't be read, and the rest goes on."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from pipeline.classify.command import classify

TEXT = '''\
import re
import os

LIMIT = 1


def sc(a):
    return [a]


def wsc(a):
    return re.sub("a", "", a)


def pd(a):
    return a + LIMIT


def refused(a):
    return os.getcwd()


def unsure(a):
    return missing(a)


@decorator
def decorated(a):
    return a


async def waits(a):
    return a


def gives(a):
    yield a


class A:
    def method(self):
        def nested(a):
            return a
        return nested

    @staticmethod
    def static(a):
        return a
'''


@pytest.fixture
def run(tmp_path):
    def invoke(*arguments: str):
        return CliRunner().invoke(classify, [str(tmp_path / a) if not a.startswith("--") else a for a in arguments])
    return invoke


def rows(result) -> list[dict]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_one_line_per_function(run, tmp_path):
    (tmp_path / "a.py").write_text(TEXT)
    result = run("a.py", "--json")
    assert result.exit_code == 0
    assert [(r["name"], r["line"], r["class"], r["reason"]) for r in rows(result)] == [
        ("sc", 7, "SC", ""), ("wsc", 11, "WSC", ""), ("pd", 15, "PD", "project_dependent"),
        ("refused", 19, "PD", "library_not_allowed"), ("unsure", 23, "PD", "unsure"),
        ("decorated", 27, "PD", "decorated"), ("waits", 32, "PD", "async"), ("gives", 36, "PD", "generator"),
        ("A.method", 41, "PD", "method"), ("A.method.nested", 42, "PD", "nested"), ("A.static", 46, "SC", ""),
    ]
    by_name = {r["name"]: r for r in rows(result)}
    assert by_name["wsc"]["libraries"] == ["re"]
    assert by_name["pd"]["unresolved"] == ["LIMIT"]
    assert list(by_name["sc"]) == [
        "path", "name", "line", "class", "libraries", "unresolved", "reason", "evidence",
    ]


def test_for_people_each_line_says_why(run, tmp_path):
    (tmp_path / "a.py").write_text(TEXT)
    lines = run("a.py").stdout.splitlines()
    assert lines[0].startswith("SC ") and lines[0].endswith("a.py:7 sc")
    assert lines[2].endswith("pd  LIMIT (line 16): a variable of the module, line 4")


def test_a_folder_is_read_in_order(run, tmp_path):
    for name in ("b/z.py", "b/a.py", "a.py", "b/notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("def f(a):\n    return a\n")
    (tmp_path / "loop").symlink_to(tmp_path)
    found = [r["path"].removeprefix(str(tmp_path)) for r in rows(run(".", "--json"))]
    assert found == ["/a.py", "/b/a.py", "/b/z.py"]


def test_a_package_knows_its_own_name(run, tmp_path):
    (tmp_path / "json").mkdir()
    (tmp_path / "json/__init__.py").write_text("")
    (tmp_path / "json/part.py").write_text("import json\ndef f(a):\n    return json.loads(a)\n")
    assert [r["reason"] for r in rows(run("json/part.py", "--json"))] == ["project_dependent"]


@pytest.mark.parametrize(("name", "data", "sentence"), [
    ("binary.py", b"\x80\x81", "It is no text in the encoding that it claims"),
    ("claims.py", b"# coding: no-such-thing\n", "It is no text in the encoding that it claims: unknown encoding"),
    ("null.py", b"a = 1\0", "It is no text in the encoding that it claims: a null character"),
    ("large.py", b"#" * 1_000_001, "It is larger than 1,000,000 bytes, the limit for a file."),
    ("broken.py", b"def f(a:\n  return (\n", "It has syntax errors"),
])
def test_a_bad_file_gets_a_sentence_and_the_rest_goes_on(run, tmp_path, name, data, sentence):
    (tmp_path / name).write_bytes(data)
    (tmp_path / "good.py").write_text("def f(a):\n    return a\n")
    result = run(".", "--json")
    assert result.exit_code == 0
    assert [r["class"] for r in rows(result) if r["path"].endswith("good.py")] == ["SC"]
    assert f"{name}: {sentence}" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_missing_path_gets_a_sentence_and_the_rest_goes_on(run, tmp_path):
    (tmp_path / "good.py").write_text("def f(a):\n    return a\n")
    result = run("nowhere.py", "good.py", "--json")
    assert result.exit_code == 2
    assert len(rows(result)) == 1
    assert "nowhere.py: There is no such file or folder" in result.stderr


def test_deep_nesting_is_read(run, tmp_path):
    (tmp_path / "deep.py").write_text("def f(a):\n    return " + "(" * 3000 + "a" + ")" * 3000 + "\n")
    (tmp_path / "sum.py").write_text("def f(a):\n    return " + " + ".join(["a"] * 20_000) + "\n")
    assert [r["class"] for r in rows(run("deep.py", "sum.py", "--json"))] == ["SC", "SC"]
