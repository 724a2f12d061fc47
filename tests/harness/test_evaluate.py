"""Evaluation: the right verdicts and numbers, results that survive a kill, and nothing judged twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.answers.extraction import extract
from harness.answers.samples import Sample
from harness.errors import UserError
from harness.records import CaseResult, Failure, Spectrum, Task, Verdict
from harness.releases.dataset import Release
from harness.report import as_json, text
from harness.scoring.evaluate import Evaluation, Options, evaluate, references, stubs
from harness.scoring.results import without_details

NEARLY = "def clamp(value, low=0.0, high=1.0):\n    return max(low, min(value, high))\n"


def task(release: Release, name: str) -> Task:
    return next(t for t in release.tasks if t.entry_point == name)


def test_references_score_one_and_stubs_nothing(made: Release) -> None:
    good = evaluate(made, references(made.tasks), Options(), "reference")
    bad = evaluate(made, stubs(made.tasks), Options(), "stub")
    assert good.score.pass_at == {1: 1.0}
    assert bad.score.pass_at == {1: 0.0}
    assert set(good.tracks) == {"sc-python", "wsc-python"}


def test_the_outcomes_of_different_answers(made: Release) -> None:
    answers = {
        "clamp": NEARLY,
        "runs": "def runs(text):\n    return nothing\n",
        "merge": "def merge(first, second=None)\n    return first\n",
        "distance": "",
        "medians": task(made, "medians").reference,
    }
    samples = [Sample(task(made, name).task_id, 0, code, 1) for name, code in answers.items()]
    result = evaluate(made, samples, Options(), "samples")
    outcomes = {outcome: share for outcome, share in result.score.outcomes.items() if share}
    assert outcomes == pytest.approx({"NoAnswer": 0.2, "SyntaxErr": 0.2, "RuntimeErr": 0.2, "PartialHigh": 0.2, "Perfect": 0.2})
    assert result.score.pass_at[1] == pytest.approx(0.2)


def test_a_reference_in_a_chat_answer_is_as_good(made: Release) -> None:
    answers = [Sample(t.task_id, 0, extract(f"Sure:\n```python\n{t.reference}```\nDone.", t), 1) for t in made.tasks]
    assert evaluate(made, answers, Options(), "samples").score.pass_at == {1: 1.0}


def test_tasks_without_an_answer_count_unless_left_out(made: Release) -> None:
    one = references([task(made, "runs")])
    assert evaluate(made, one, Options(), "samples").score.pass_at == {1: 0.2}
    assert evaluate(made, one, Options(partial=True), "samples").score.pass_at == {1: 1.0}


def test_several_samples_give_pass_at_k(made: Release) -> None:
    good, bad = references(made.tasks), stubs(made.tasks)
    result = evaluate(made, [*good, *(replace(s, number=1) for s in bad)], Options(), "samples")
    assert result.score.pass_at == {1: 0.5, 2: 1.0}


def test_results_say_what_they_were_measured_with(made: Release) -> None:
    run = evaluate(made, references(made.tasks), Options(), "reference").run
    assert (run.release, run.manifest_sha256, run.runtime_sha256) == ("made", made.manifest_sha256, made.manifest["runtime"]["sha256"])
    assert run.harness
    assert "namespaces" in run.isolation
    assert len(run.prompts_sha256) == 64


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_results_are_taken_over_and_not_judged_again(made: Release, tmp_path: Path) -> None:
    options = Options(tmp_path / "results.jsonl")
    first = evaluate(made, references(made.tasks), options, "samples")
    before = options.output.read_bytes() if options.output else b""
    second = evaluate(made, references(made.tasks), options, "samples")
    assert (first.taken_over, second.taken_over) == (0, 5)
    assert (tmp_path / "results.jsonl").read_bytes() == before
    assert second.score == first.score


def test_a_changed_answer_is_judged_anew_and_the_old_result_kept(made: Release, tmp_path: Path) -> None:
    options = Options(tmp_path / "results.jsonl")
    evaluate(made, references(made.tasks), options, "samples")
    changed = [Sample(task(made, "clamp").task_id, 0, NEARLY, 1), *[s for s in references(made.tasks) if s.task_id != task(made, "clamp").task_id]]
    result = evaluate(made, changed, options, "samples")
    assert result.taken_over == 4
    assert result.score.pass_at == {1: 0.8}
    assert len(lines(tmp_path / "results.jsonl")) == 1 + 5 + 1


def test_a_result_names_its_first_failure(made: Release, tmp_path: Path) -> None:
    evaluate(made, [Sample(task(made, "clamp").task_id, 0, NEARLY, 1)], Options(tmp_path / "r.jsonl"), "samples")
    (result,) = lines(tmp_path / "r.jsonl")[1:]
    assert result["outcome"] == "PartialHigh"
    assert result["cases"].count("p") == result["passed"] < result["total"] == len(result["cases"])
    assert result["first_failure"]["case"] == result["cases"].index("w")


def test_of_a_verdict_that_is_kept_only_what_reports_show_is_kept() -> None:
    cases = tuple(CaseResult("wrong", f"case {n}") if n % 3 else CaseResult("passed") for n in range(500))
    verdict = Verdict("t", "d", Spectrum.PARTIAL_LOW, 167, 500, "case 1 wrong: case 1", cases, Failure(8, "5"))
    kept = without_details(verdict)
    assert [case.status for case in kept.cases] == [case.status for case in cases]
    assert [case.detail for case in kept.cases if case.detail] == ["case 1", "case 8"]
    assert len({id(case) for case in kept.cases}) == 4


@pytest.mark.parametrize("cut", [1, 20, 60])
def test_a_line_that_was_cut_short_is_written_again(made: Release, tmp_path: Path, cut: int) -> None:
    path = tmp_path / "results.jsonl"
    evaluate(made, references(made.tasks), Options(path), "samples")
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert evaluate(made, references(made.tasks), Options(path), "samples").taken_over == 4
    assert path.read_bytes() == whole


def test_a_header_that_was_cut_short_is_written_again(made: Release, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(b'{"run": {"rel')
    evaluate(made, references(made.tasks), Options(path), "samples")
    assert len(lines(path)) == 6


REFUSED = {
    "results of another release": (lambda p: p.write_text('{"run": {"release": "other"}}\n'), "another run .release was 'other', is 'made'"),
    "a file of something else": (lambda p: p.write_text('{"task_id": "x", "solution": "y"}\n'), "no file of results"),
    "a text without a line end": (lambda p: p.write_text("precious notes"), "no file of results"),
    "a folder": (lambda p: p.mkdir(), "can't be written"),
}


@pytest.mark.parametrize(("prepare", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_a_file_that_is_not_ours_is_refused_and_left_alone(made: Release, tmp_path: Path, prepare: Any, sentence: str) -> None:
    path = tmp_path / "results.jsonl"
    prepare(path)
    before = path.read_bytes() if path.is_file() else b""
    with pytest.raises(UserError, match=sentence):
        evaluate(made, references(made.tasks), Options(path), "samples")
    assert path.is_dir() or path.read_bytes() == before


def test_a_damaged_line_in_the_middle_is_refused(made: Release, tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    evaluate(made, references(made.tasks), Options(path), "samples")
    rows = path.read_text().splitlines()
    path.write_text("\n".join([*rows[:2], "{}", *rows[3:]]) + "\n")
    with pytest.raises(UserError, match=r"Line 3 of .* is no result"):
        evaluate(made, references(made.tasks), Options(path), "samples")


def test_a_release_without_its_runtime_is_refused_in_a_sentence(
    made: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    (tmp_path / "lock.txt").write_text("# another\n")

    def refused(sentence: str) -> None:
        raise UserError(f"Not here. {sentence}")

    options = Options(consent=refused)
    with pytest.raises(UserError, match=r"Not here\. The runtime .* is made now, once: Python 3\.11 with 0 libraries"):
        evaluate(replace(made, locks={"python": tmp_path / "lock.txt"}), references(made.tasks), options, "reference")


SLOW = "import time\n\n\ndef {name}(*args, **kwargs):\n    time.sleep(0.005)\n    return {number}\n"


def slow_samples(made: Release, path: Path, count: int = 12) -> None:
    rows = [{"task_id": t.task_id, "solution": SLOW.format(name=t.entry_point, number=n)} for n in range(count) for t in made.tasks]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def start(release_folder: Path, samples: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "harness", "evaluate", str(release_folder), "--samples", str(samples), "--json", "--workers", "2"]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heed_interrupts
    )


def heed_interrupts() -> None:
    """Shells start what they run in the background with interrupts ignored, and tests may run there."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def wait_for_lines(path: Path, count: int, process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + 60
    while not path.exists() or path.read_bytes().count(b"\n") < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_killed_run_goes_on_and_judges_nothing_twice(made: Release, release_folder: Path, tmp_path: Path) -> None:
    samples, results = tmp_path / "answers.jsonl", tmp_path / "answers.results.jsonl"
    slow_samples(made, samples)
    for count in (1, 33):
        process = start(release_folder, samples)
        wait_for_lines(results, count, process)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    kept = results.read_bytes()
    process = start(release_folder, samples)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 0, err
    assert results.read_bytes().startswith(kept[: kept.rfind(b"\n") + 1])
    assert json.loads(out)["taken_over"] >= 30
    keys = Counter((row["task_id"], row["sample"]) for row in lines(results)[1:])
    assert len(keys) == 60
    assert set(keys.values()) == {1}
    fresh = tmp_path / "fresh.jsonl"
    samples.rename(fresh)
    whole, err = start(release_folder, fresh).communicate(timeout=120)
    assert json.loads(whole)["score"] == json.loads(out)["score"]


def test_an_interrupt_ends_in_a_sentence_and_keeps_the_results(made: Release, release_folder: Path, tmp_path: Path) -> None:
    samples, results = tmp_path / "answers.jsonl", tmp_path / "answers.results.jsonl"
    slow_samples(made, samples, 100)
    process = start(release_folder, samples)
    wait_for_lines(results, 4, process)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert err.rstrip().endswith("Stopped; run the same command again to go on.")
    assert len(lines(results)) >= 4


def test_two_runs_do_not_write_to_one_file(made: Release, release_folder: Path, tmp_path: Path) -> None:
    samples, results = tmp_path / "answers.jsonl", tmp_path / "answers.results.jsonl"
    slow_samples(made, samples)
    first = start(release_folder, samples)
    wait_for_lines(results, 2, first)
    second = start(release_folder, samples)
    _, err = second.communicate(timeout=60)
    assert second.returncode == 2
    assert "Another run writes to" in err
    os.kill(first.pid, signal.SIGKILL)
    first.communicate()


@pytest.fixture(scope="module")
def evaluation(made: Release) -> Evaluation:
    return replace(evaluate(made, references(made.tasks), Options(), "reference"), notes=("A note.",), taken_over=2)


def test_the_table_for_people(evaluation: Evaluation) -> None:
    table = text.render(evaluation)
    assert "sc-python    wsc-python           all" in table
    assert "pass@1                              100.0%        100.0%        100.0%" in table
    assert "56.6-100.0%" in table
    assert table.endswith("2 verdicts were in the results file already.\nA note.")


def test_the_json_for_programs(evaluation: Evaluation) -> None:
    record = json.loads(as_json.render(evaluation))
    assert record["score"]["pass_at"] == {"1": 1.0}
    assert record["run"]["release"] == "made"
    assert record["tracks"]["wsc-python"]["tasks"] == 2
    assert record["notes"] == ["A note."]


PATIENT = """
from harness.cli import main
from harness.scoring import judging
object.__setattr__(judging._USUAL, "idle_floor", 900.0)
main()
"""
"""Whoever waits for the end of an answer that hangs waits for two minutes."""


def test_an_interrupt_ends_a_run_at_once_and_loses_no_verdict(made: Release, release_folder: Path, tmp_path: Path) -> None:
    hangs = "import time\ndef clamp(*args):\n    time.sleep(1000)\n"
    codes = {one.task_id: one.code for one in references(made.tasks)} | {task(made, "clamp").task_id: hangs}
    samples, results = tmp_path / "s.jsonl", tmp_path / "s.results.jsonl"
    first = sorted(codes, key=lambda one: codes[one] != hangs)
    samples.write_text("".join(json.dumps({"task_id": one, "solution": codes[one]}) + "\n" for one in first))
    command = [sys.executable, "-c", PATIENT, "evaluate", str(release_folder), "--samples", str(samples), "--workers", "2"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    ) as process:
        for _ in range(4000):
            if results.exists() and results.read_text().count("\n") == len(codes):
                break
            time.sleep(0.05)
        else:
            process.kill()
        told = results.read_text()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130 and "Stopped" in said
    # All answers behind the one that hangs were written as they came.
    assert told.count('"outcome":"Perfect"') == len(codes) - 1
