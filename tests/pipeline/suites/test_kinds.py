"""Kinds of functions whose inputs have to fit together, or to be in a notation, before their branches are reached."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.suites.domain.description import describe
from pipeline.suites.drafts import Draft
from pipeline.suites.inference.infer import infer
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, request, searched, takes_all_branches

KINDS = {
    "marks at the head of bytes": '''
        import struct

        def headers(data: bytes) -> dict:
            """The fields of a header."""
            if data[:4] != b"RIFF":
                raise ValueError("no RIFF")
            size, = struct.unpack("<I", data[4:8])
            kind = data[8:12]
            if kind == b"WAVE":
                return {"size": size, "kind": "wave"}
            elif kind == b"AVI ":
                return {"size": size, "kind": "avi"}
            return {"size": size, "kind": None}
    ''',
    "a line of a fixed layout": '''
        def marked(line: str) -> tuple:
            """A line of a fixed layout."""
            if len(line) < 10:
                raise ValueError("short")
            if line[4] == "-" and line[7] == "-":
                return "date", line[:4]
            if line[:3] in ("ATO", "HET") and line[6] == "*":
                return "atom", line[3:6]
            return "other", line
    ''',
    "edges to nodes": '''
        def unknown_ends(nodes: list[dict], edges: list[dict]) -> list[str]:
            """The ends of edges that are no node, and a mark for loops between known nodes."""
            known = {node["id"] for node in nodes}
            found = []
            for edge in edges:
                if edge["source"] not in known:
                    found.append(edge["source"])
                elif edge["target"] not in known:
                    found.append(edge["target"])
                elif edge["source"] == edge["target"]:
                    found.append("loop")
            return found
    ''',
    "nested path": '''
        def lookup(config: dict, path: str):
            """The value at a dotted path, with a list index allowed."""
            current = config
            for part in path.split("."):
                if isinstance(current, list):
                    if not part.isdigit() or int(part) >= len(current):
                        return None
                    current = current[int(part)]
                elif isinstance(current, dict):
                    if part not in current:
                        return None
                    current = current[part]
                else:
                    raise KeyError(part)
            return current
    ''',
    "chained get": '''
        def port_of(spec: dict) -> int:
            """The first named port of the main container of a pod."""
            containers = (spec.get("spec") or {}).get("containers") or []
            for container in containers:
                if container.get("name") != "main":
                    continue
                for port in container.get("ports", []):
                    if port.get("protocol", "TCP") == "UDP":
                        continue
                    if "containerPort" in port and port["containerPort"] > 1024:
                        return port["containerPort"]
            return 0
    ''',
    "two dates": '''
        from datetime import datetime

        def weekend(text: str) -> str:
            """Whether a date in one of two notations falls on a weekend."""
            for form in ("%d/%m/%Y", "%b %d, %Y"):
                try:
                    when = datetime.strptime(text, form)
                except ValueError:
                    continue
                if when.weekday() >= 5:
                    return "weekend " + form
                return "weekday"
            return "no date"
    ''',
    "struct header": '''
        import struct

        def header(data: bytes) -> tuple:
            """Version and size of a small binary header."""
            if len(data) < 8:
                raise ValueError("too short")
            magic, version, size = struct.unpack(">4sHH", data[:8])
            if magic != b"PK3D":
                return ()
            if version > 2:
                return (version,)
            if size != len(data) - 8:
                return (version, -1)
            return (version, size)
    ''',
    "parsed code": '''
        import ast

        def tested(source: str) -> list[str]:
            """Names of classes and of functions whose name begins with test."""
            try:
                tree = ast.parse(source)
            except SyntaxError:
                return ["broken"]
            found = []
            for node in tree.body:
                if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                    found.append(node.name)
                elif isinstance(node, ast.ClassDef):
                    for inner in node.body:
                        if isinstance(inner, ast.Assign):
                            found.append(node.name)
                elif isinstance(node, ast.AsyncFunctionDef):
                    found.append("async")
                elif isinstance(node, ast.With):
                    found.append("with")
            return found
    ''',
    "checksum": '''
        def valid(code: str) -> bool:
            """Whether a code of ten digits has the right check digit."""
            if len(code) != 10 or not code.isdigit():
                return False
            total = sum(int(digit) * weight for digit, weight in zip(code, range(10, 0, -1)))
            if total % 11 == 0:
                return True
            return False
    ''',
    "length seventeen": '''
        def vin(text: str) -> str:
            """What is wrong with the number of a vehicle."""
            text = text.strip().upper()
            if len(text) != 17:
                return "length"
            if any(letter in "IOQ" for letter in text):
                return "letter"
            if not text[-4:].isdigit():
                return "serial"
            return "fine"
    ''',
    "lookaround": '''
        import re

        def strong(word: str) -> int:
            """How strong a password is."""
            if re.fullmatch(r"(?=.*\\d)(?=.*[A-Z])(?=.*[^\\w\\s]).{8,}", word):
                return 3
            if re.search(r"(?<=pass)word", word):
                return -1
            if re.match(r"(?!admin)[a-z]+\\d{2,4}$", word):
                return 2
            return 0
    ''',
    "none among the items": '''
        def single(*values):
            """The one value that is given, None where none is."""
            known = set(values)
            if None in known:
                known.remove(None)
            if len(known) > 1:
                raise ValueError("they differ")
            return known.pop() if known else None
    ''',
    "bytes that are joined": '''
        def framed(parts: list, mark: bytes):
            """The parts with a mark between them and their number in front; empty parts are left out."""
            kept = []
            for part in parts:
                if len(part) > 0:
                    kept.append(part)
            return bytes([len(kept)]) + b"|".join([mark, *kept])
    ''',
    "pairs that make a ring": '''
        def walked(edges: set[frozenset[int]]) -> list[int] | None:
            """The nodes in the order of the one ring that the edges make, None where they make none."""
            near = {}
            for edge in edges:
                a, b = tuple(edge)
                near.setdefault(a, []).append(b)
                near.setdefault(b, []).append(a)
            if not near or any(len(others) != 2 for others in near.values()):
                return None
            start = min(near)
            order, last, now = [start], None, start
            while True:
                left, right = sorted(near[now])
                step = right if left == last else left
                if step == start:
                    return order if len(order) == len(edges) else None
                order.append(step)
                last, now = now, step
    ''',
    "a library with a substitute": '''
        def smooth(values: list[float]) -> float:
            """The mean by NumPy."""
            if not values:
                return 0.0
            import numpy
            return float(numpy.mean(values))
    ''',
    "a separator that is given": '''
        def levels(path, sep):
            """How far a path climbs and what it names then."""
            if path.startswith(sep):
                return -1, path[len(sep):]
            climbs = 0
            for part in path.split(sep):
                if part == "..":
                    climbs += 1
                elif part:
                    return climbs, part
            return climbs, ""
    ''',
    "csv columns": '''
        import csv
        import io

        def adults(text: str) -> list[str]:
            """Names of those of age in a table with a header."""
            found = []
            for row in csv.DictReader(io.StringIO(text)):
                age = row.get("age")
                if age is None or not age.isdigit():
                    continue
                if int(age) >= 18:
                    found.append(row.get("name", ""))
            return found
    ''',
    "grouped rows": '''
        def slowest(rows: list[dict]) -> dict[str, float]:
            """The longest duration of each step that is not skipped."""
            groups = {}
            for row in rows:
                groups.setdefault(row["step"], []).append(row)
            out = {}
            for step, members in groups.items():
                members = [one for one in members if not one.get("skipped")]
                if not members:
                    continue
                longest = max(members, key=lambda one: one["end"] - one["start"])
                out[step] = longest["end"] - longest["start"]
            return out
    ''',
}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return searched(KINDS, machine)


@pytest.mark.parametrize("kind", KINDS)
def test_all_branches_are_taken(kind: str, made: dict[str, Draft]) -> None:
    assert takes_all_branches(made[kind]), made[kind]


def test_an_exit_that_is_raised_is_a_case(machine: Machine) -> None:
    text = '''
    def checked(version: str) -> int:
        if version.startswith("0."):
            raise SystemExit(f"not released: {version}")
        return sum(ord(sign) for sign in version) % 97
    '''
    made = build_suites([request(text)], SuiteConfig(cases=100), machine)[0]
    assert {case.kind for case in made.cases} == {"returned", "raised"}


@pytest.mark.parametrize(("module", "reason"), [("json", "unreachable_branch"), ("no_such_module", "coverage_below_100")])
def test_a_substitute_for_what_the_runtime_has_is_unreachable(module: str, reason: str, machine: Machine) -> None:
    text = f'''
    def size(value: list[int]) -> int:
        """How long the JSON of the numbers is."""
        try:
            from {module} import dumps
        except ImportError:
            return 2 * len(value)
        return len(dumps(value))
    '''
    made = build_suites([request(text)], SuiteConfig(cases=100, budget=1000), machine)[0]
    assert made.reason == reason
    assert ("the runtime has what line" in made.evidence) == (reason == "unreachable_branch")


def test_what_only_another_version_of_python_runs_is_unreachable(machine: Machine) -> None:
    text = '''
    import sys

    def newest(names: list[str]) -> str:
        if sys.version_info < (3, 8):
            return names[-1]
        return max(names, default="")
    '''
    assert build_suites([request(text)], SuiteConfig(), machine)[0].reason == "unreachable_branch"


FLOWS = {
    "a field behind `or`": ("return (a.get('x') or {}).get('y') == 'z'", "{'x'?: {'y'?: str}}"),
    "what is put into a list": (
        "b = []\n    for r in a:\n        b.append(r)\n    return b[0]['x'].lower()", "list[{'x': str}]"),
    "what is put into groups": (
        "b = {}\n    for r in a:\n        b.setdefault(r['k'].strip(), []).append(r)\n    "
        "return [len(m['x'].split(',')) for k, v in b.items() for m in v]",
        "list[{'k': str, 'x': str (split by ',')}]"),
    "pieces by place": (
        "k, v = a.split('=')\n    return k == 'x' and int(v)", "str (split by '=' into (str, str (integer)))"),
    "around a separator": (
        "k, _, v = a.partition(':')\n    return k.lower(), float(v)", "str (split by ':' into (str, str (number)))"),
    "a truth beside it": ("return 0 if a is False else len(a.split(','))", "str (split by ',')"),
    "None among several": ("return 0 if None in (a, 1) else a + 1", "int | float | None"),
}


@pytest.mark.parametrize("name", FLOWS)
def test_what_is_done_to_a_part_later_counts_for_the_parameter(name: str) -> None:
    body, expected = FLOWS[name]
    (parameter,) = infer(Subject.of(program(f"def f(a):\n    {body}"), "f"))
    assert describe(parameter.spec) == expected


SUFFIX = '''
    def mesh_type(path: str | None) -> str | None:
        """The suffix of a path without its query, where it is one of the known ones."""
        known = {"glb", "ply", "stl"}
        if path is None:
            return None
        suffix = path.split("?", 1)[0].rpartition(".")[2].lower()
        return suffix if suffix in known else None
'''


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_all_constants_of_a_container_are_used(machine: Machine, seed: int) -> None:
    (made,) = build_suites([replace(request(program(SUFFIX)), seed=seed)], SuiteConfig(), machine)
    answers = {case.args[0].lower().split("?")[0].rpartition(".")[2] for case in made.cases if case.args[0]}
    assert {"glb", "ply", "stl"} <= answers
