"""The ablation's table: what is told of each rule is what leaving it out does."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from drawing import Drawn, Exam

from tests.pipeline.suites.test_rules import PLACED, SAYS, TOTALS

ROOT = Path(__file__).parents[2]


@pytest.mark.slow  # a whole run of a script that only maintainers start
def test_the_table_says_what_a_rule_earns(tmp_path: Path) -> None:
    programs = {"placed": PLACED, "share": TOTALS, "says": SAYS}
    drawn = [Drawn(name, "p", "sc-python", text, name, (), ()) for name, text in programs.items()]
    exam = Exam(2, 3, tmp_path / "cache")
    exam.file.parent.mkdir(parents=True)
    exam.file.write_text("".join(json.dumps(asdict(one)) + "\n" for one in drawn))
    command = [sys.executable, str(ROOT / "scripts/ablate.py"), "--count", "3", "--cache", str(exam.cache),
               "--out", str(tmp_path / "out.jsonl"), "--workers", "1", "--rules", "relations: from the body", "totals: promised"]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.splitlines()
    assert said[0] == "3 functions, 3 with all branches covered; 2 rules"
    assert [line.split()[-7:] for line in said[2:]] == [["body", "1", "0", "0", "+0.000", "+0.000", "goes"],
                                                        ["promised", "0", "0", "0", "+0.000", "+0.000", "goes"]]
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [(row["rule"], row["id"]) for row in rows if row["rule"]] == [("relations: from the body", "placed")]
    # What is tried is not tried again.
    before = (tmp_path / "out.jsonl").read_bytes()
    assert subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path).stdout.splitlines() == said
    assert (tmp_path / "out.jsonl").read_bytes() == before
