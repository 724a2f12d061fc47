"""lm-eval finds the tasks, asks by the protocol, and gives the numbers that our own evaluation gives."""

from __future__ import annotations

import http.server
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.answers.extraction import extract
from harness.answers.samples import Sample
from harness.errors import UserError
from harness.languages.python.asking import STOP
from harness.lm_eval import glue, install
from harness.prompts import prompt
from harness.records import Spectrum
from harness.releases.dataset import Release, load_release
from harness.releases.snapshots import snapshots
from harness.rewordings import read_rewordings, variants_of
from harness.scoring.evaluate import Options, evaluate
from harness.scoring.metrics import KS
from harness.scoring.store import Store
from harness.variants import derived
from pipeline.config import VaryConfig
from pipeline.rewording.asked import USUAL
from pipeline.vary.derived import derive
from pipeline.vary.prompts import derive_prompts

SHARES = [outcome.value for outcome in Spectrum]


CHAINS = ("varnorm1", "varnorm2", "constunfold", "for2while", "while2for", "condaug", "fuv", "auv", "afu", "all")


def lm_eval(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the real lm-eval as a user does; it can reach no Hub."""
    environment = {**os.environ, "HF_HUB_OFFLINE": "1", "OPENAI_API_KEY": "none", **env}
    environment = {name: value for name, value in environment.items() if value}
    command = [sys.executable, "-m", "lm_eval", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env=environment, timeout=240)


def results_of(folder: Path) -> dict[str, Any]:
    (path,) = folder.rglob("results_*.json")
    found: dict[str, Any] = json.loads(path.read_text())
    return found


def logged(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(folder.rglob("samples_*.jsonl")) for line in path.read_text().splitlines()]


class Model(http.server.BaseHTTPRequestHandler):
    """An OpenAI-compatible server with a model that answers by a function of the prompt; it keeps what it was asked."""

    reply: Callable[[dict[str, Any]], str]
    asked: list[dict[str, Any]]

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        type(self).asked.append(request)
        text = type(self).reply(request)
        choice = {"message": {"role": "assistant", "content": text}} if "messages" in request else {"text": text}
        data = json.dumps({"choices": [{"index": 0, "finish_reason": "stop", **choice}]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def serve() -> Iterator[Callable[[Callable[[dict[str, Any]], str]], tuple[str, list[dict[str, Any]]]]]:
    servers = []

    def start(reply: Callable[[dict[str, Any]], str]) -> tuple[str, list[dict[str, Any]]]:
        asked: list[dict[str, Any]] = []
        handler = type("OneModel", (Model,), {"reply": staticmethod(reply), "asked": asked})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_address[1]}/v1", asked

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture(autouse=True, scope="module")
def _tasks_are_installed() -> None:
    if not install.installed():
        install.install()


def simple_evaluate(release_folder: Path, tasks: str, metadata: dict[str, Any] | None = None, **how: Any) -> dict[str, Any]:
    """lm-eval as a library, with our folder of tasks alone, as `--include_path` gives it."""
    from lm_eval import simple_evaluate as run
    from lm_eval.tasks import TaskManager

    given = {"code2bench_release": str(release_folder), **(metadata or {})}
    manager = TaskManager(include_path=str(install.SOURCE), include_defaults=False, metadata=given)
    found: dict[str, Any] = run(tasks=[tasks], task_manager=manager, bootstrap_iters=0, **how)
    return found


def chat_model(url: str) -> dict[str, Any]:
    model_args = {"model": "m", "base_url": f"{url}/chat/completions"}
    return {"model": "local-chat-completions", "model_args": model_args, "apply_chat_template": True}


def test_the_release_of_the_environment_is_found_by_its_name(
    release_folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(release_folder.parents[2])
    monkeypatch.setenv("CODE2BENCH_RELEASE", "made")
    simple_evaluate(release_folder, "code2bench_sc_python", {"code2bench_release": ""}, model="dummy", limit=1)
    assert "release made from made ($CODE2BENCH_RELEASE), track sc-python, 3 tasks; isolation: namespaces" in caplog.text


@pytest.mark.slow  # all tasks of the demo are made ready
def test_without_a_release_the_snapshot_is_taken_and_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CODE2BENCH_RELEASE", raising=False)
    with caplog.at_level(logging.WARNING, "lm_eval.code2bench"):
        release, _ = glue._prepare("sc-python", {})
    assert release.folder == snapshots()["demo"]
    assert "(the default; choose one by --metadata" in caplog.text and "the snapshot that came with" in caplog.text


def test_a_default_that_is_not_there_is_named_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr(glue, "DEFAULT_RELEASE", "none")
    monkeypatch.delenv("CODE2BENCH_RELEASE", raising=False)
    with pytest.raises(UserError, match=r"^code2bench: There is no release 'none' here.*the default.*$"):
        simple_evaluate(tmp_path, "code2bench_sc_python", {"code2bench_release": ""}, model="dummy")


def test_a_sandbox_that_there_is_not_is_told_in_one_sentence(release_folder: Path) -> None:
    with pytest.raises(UserError, match="code2bench: The sandbox should be bubblewrap or container, not 'jail'"):
        simple_evaluate(release_folder, "code2bench_sc_python", {"code2bench_sandbox": "jail"}, model="dummy")


def chat(made: Release, change: Callable[[str], str] = lambda code: code) -> Callable[[dict[str, Any]], str]:
    """A model that knows the references, and writes as chat models do."""
    by_user = {prompt(task).user: task.reference for task in made.tasks}
    return lambda request: f"Sure!\n\n```python\n{change(by_user[request['messages'][-1]['content']])}```\nThat's it."


def test_a_chat_model_that_knows_the_answers_scores_one(made: Release, release_folder: Path, tmp_path: Path, serve: Any) -> None:
    url, asked = serve(chat(made))
    run = lm_eval(
        "--model", "local-chat-completions", "--model_args", f"model=m,base_url={url}/chat/completions,revision=v0", "--apply_chat_template",
        "--tasks", "code2bench", "--metadata", json.dumps({"code2bench_release": str(release_folder)}), "--output_path", "out",
        "--log_samples", cwd=tmp_path, CODE2BENCH_RELEASE="another", CODE2BENCH_STORE="kept",
    )
    assert run.returncode == 0, run.stderr
    for metric in ("pass@1", "near_perfect", "case_pass_rate", *SHARES):
        assert run.stdout.count(f"|{metric} ") + run.stdout.count(f"|{metric}|") == 4, metric
    assert "no values found" not in run.stderr
    results = results_of(tmp_path / "out")
    assert {name: part["pass@1,judged"] for name, part in results["results"].items()} == {"code2bench": 1, "code2bench_sc_python": 1, "code2bench_wsc_python": 1}
    assert {(r["temperature"], tuple(r["stop"])) for r in asked} == {(0.0, ())}
    wanted = {(prompt(t).system, prompt(t).user) for t in made.tasks}
    assert {tuple(m["content"] for m in r["messages"]) for r in asked} == wanted
    assert {tuple(m["role"] for m in r["messages"]) for r in asked} == {("system", "user")}
    carried = results["configs"]["code2bench_sc_python"]["metadata"]["code2bench"]
    assert carried["manifest_sha256"] == made.manifest_sha256
    assert carried["runtime_sha256"] == made.manifest["runtime"]["sha256"]
    assert carried["isolation"]
    assert carried["prompts_sha256"]
    assert carried["harness"]
    assert len(logged(tmp_path / "out")) == 5
    kept = Store(tmp_path / "kept").runs()
    assert {(one.run.model, one.run.model_revision, one.run.answers) for one in kept} == {("m", "v0", "samples")}


def test_what_lm_eval_has_judged_is_kept(
    made: Release, release_folder: Path, tmp_path: Path, serve: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, _ = serve(chat(made))
    monkeypatch.setenv("CODE2BENCH_STORE", str(tmp_path / "kept"))
    sampling = {"temperature": 0.8, "do_sample": True}
    simple_evaluate(release_folder, "code2bench", {"code2bench_repeats": 2}, gen_kwargs=sampling, **chat_model(url))
    kept = Store(tmp_path / "kept").runs()
    assert sorted((one.tasks, one.answers, one.perfect) for one in kept) == [(2, 4, 4), (3, 6, 6)]
    assert {one.run.sampling for one in kept} == {"do_sample=True, max_gen_toks=2048, temperature=0.8"}
    assert all(one.run.manifest_sha256 == made.manifest_sha256 and one.run.date and one.run.harness for one in kept)
    found = Store(tmp_path / "kept").results(kept[0].id)
    assert {key.number for key in found.verdicts} == {0, 1}


def test_a_store_that_lm_eval_can_not_use_is_one_sentence(release_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match=r"code2bench: The store .* can't be made \(File exists\)"):
        simple_evaluate(release_folder, "code2bench_sc_python", {"code2bench_store": str(tmp_path / "file")}, model="dummy")


def test_the_logs_hold_no_answers(made: Release, release_folder: Path, serve: Any) -> None:
    url, _ = serve(lambda request: "def clamp(value, low=0, high=1): return value")
    samples = [s for part in simple_evaluate(release_folder, "code2bench", log_samples=True, **chat_model(url))["samples"].values() for s in part]
    assert len(samples) == 5
    assert {frozenset(sample["doc"]) for sample in samples} == {frozenset({"task_id", "task_digest", "entry_point", "signature", "instruction"})}
    assert {frozenset(verdict) for sample in samples for (verdict,) in sample["filtered_resps"]} == {frozenset({"outcome", "passed", "total"})}
    assert {sample["target"] for sample in samples} == {""}
    text = json.dumps(samples)
    for task in made.tasks:
        assert task.reference.strip().splitlines()[-1].strip() not in text


def test_lm_eval_and_our_own_evaluation_give_the_same_numbers(made: Release, release_folder: Path, serve: Any) -> None:
    answers = {"clamp": "def clamp(value, low=0.0, high=1.0):\n    return max(low, min(value, high))\n", "runs": "def runs(text) return 1", "merge": "no"}
    by_user = {prompt(t).user: answers.get(t.entry_point, t.reference) for t in made.tasks}
    url, _ = serve(lambda request: by_user[request["messages"][-1]["content"]])
    theirs = simple_evaluate(release_folder, "code2bench", **chat_model(url))["results"]["code2bench"]
    samples = [Sample(t.task_id, 0, extract(answers.get(t.entry_point, t.reference), t), 1) for t in made.tasks]
    ours = evaluate(made, samples, Options(), "samples").score
    assert theirs["pass@1,judged"] == pytest.approx(ours.pass_at[1])
    assert theirs["case_pass_rate,judged"] == pytest.approx(ours.case_pass_rate)
    assert {name: theirs[f"{name},judged"] for name in SHARES} == pytest.approx(ours.outcomes)
    assert 0 < ours.case_pass_rate < 1


def test_a_completion_model_continues_the_instruction(made: Release, release_folder: Path, serve: Any) -> None:
    bodies = {prompt(t).completion: t.reference.partition(t.instruction.strip() + "\n")[2] for t in made.tasks}
    url, asked = serve(lambda request: bodies[request["prompt"][0] if isinstance(request["prompt"], list) else request["prompt"]] + "\nprint(nothing)\n")
    model_args = {"model": "m", "base_url": f"{url}/completions", "tokenizer_backend": None, "tokenized_requests": False}
    results = simple_evaluate(release_folder, "code2bench", model="local-completions", model_args=model_args)["results"]
    assert results["code2bench"]["pass@1,judged"] == 1
    assert {tuple(r["stop"]) for r in asked} == {STOP}


def test_all_samples_of_a_task_count(made: Release, release_folder: Path, serve: Any) -> None:
    seen: dict[str, int] = {}

    def reply(request: dict[str, Any]) -> str:
        asked = request["messages"][-1]["content"]
        seen[asked] = seen.get(asked, 0) + 1
        return chat(made)(request) if seen[asked] % 5 == 3 else "def nothing(): pass"

    url, asked = serve(reply)
    gen_kwargs = {"temperature": 0.8, "do_sample": True}
    results = simple_evaluate(release_folder, "code2bench", {"code2bench_repeats": 5}, gen_kwargs=gen_kwargs, **chat_model(url))["results"]
    assert {r["temperature"] for r in asked} == {0.8}
    for name in ("code2bench", "code2bench_sc_python", "code2bench_wsc_python"):
        found = {k: results[name][f"pass@{k},judged"] for k in KS if f"pass@{k},judged" in results[name]}
        assert found == pytest.approx({1: 0.2, 2: 0.4, 5: 1.0}), name
        assert results[name]["Perfect,judged"] == pytest.approx(0.2)


def test_a_system_instruction_of_the_user_comes_before_ours(made: Release, release_folder: Path, serve: Any) -> None:
    url, asked = serve(lambda request: "")
    simple_evaluate(release_folder, "code2bench_sc_python", limit=1, system_instruction="Be brief.", **chat_model(url))
    assert asked[0]["messages"][0]["content"].startswith("Be brief.\n\nYou are an expert")


def test_predict_only_asks_and_judges_nothing(release_folder: Path) -> None:
    found = simple_evaluate(release_folder, "code2bench_sc_python", model="dummy", predict_only=True, log_samples=True)
    assert [sample["resps"] for sample in found["samples"]["code2bench_sc_python"]] == [[["lol"]]] * 3
    assert "pass@1,judged" not in found["results"]["code2bench_sc_python"]


@pytest.mark.parametrize("repeats", [0, -1, "many", True, 1.5])
def test_a_senseless_number_of_samples_is_refused_in_one_sentence(release_folder: Path, repeats: Any) -> None:
    with pytest.raises(UserError, match="code2bench_repeats should be a number of samples"):
        simple_evaluate(release_folder, "code2bench_sc_python", {"code2bench_repeats": repeats}, model="dummy")


def test_a_refusal_is_an_exception_for_programs_and_a_sentence_for_people(release_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError) as error:
        simple_evaluate(tmp_path, "code2bench_sc_python", model="dummy")
    assert isinstance(error.value, SystemExit)
    assert "\n" not in str(error.value.code)


def test_installing_puts_yaml_there_and_nothing_else_and_removing_takes_it_out(tmp_path: Path) -> None:
    (tmp_path / "lm_eval" / "tasks").mkdir(parents=True)
    (tmp_path / "lm_eval" / "__init__.py").touch()
    folder = tmp_path / "lm_eval" / "tasks" / "code2bench"

    def command(*arguments: str) -> dict[str, Any]:
        run = subprocess.run(
            [sys.executable, "-m", "harness", "install-lm-eval", "--json", *arguments], capture_output=True, text=True, check=True,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )
        found: dict[str, Any] = json.loads(run.stdout)
        return found

    tracks = [f"code2bench_{track}_python.yaml" for track in ("lsc", "sc", "whole", "wsc")]
    chains = ["origin", *CHAINS, "altered", "evolved"]
    asking = [f"code2bench_{family}_python{chain}.yaml" for family in ("input", "output") for chain in ("", *(f"_{c}" for c in chains))]
    asking += [f"code2bench_repair_python{chain}.yaml" for chain in ("", "_origin", "_evolved")]
    groups = ["code2bench.yaml", "code2bench_all.yaml", "code2bench_dynamic.yaml", "code2bench_gene.yaml", "code2bench_gene_before.yaml"]
    prompts = [f"code2bench_prompts{name}.yaml" for name in ("", *(f"_{strategy}" for strategy in USUAL))]
    names = sorted([*groups, *tracks, *asking, *prompts, "code2bench_outcome_python.yaml"])
    for _ in range(2):
        assert command() == {"folder": str(folder), "files": names, "removed": False}
        assert sorted(path.name for path in folder.iterdir()) == names
    assert command("--remove") == {"folder": str(folder), "files": names, "removed": True}
    assert not folder.exists()
    assert command("--remove")["files"] == []


@pytest.fixture(scope="module")
def reworded(release_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = VaryConfig(7, strategies=("control", "function_typo", "description_typo"), variants=2)
    return derive_prompts(str(release_folder), config, tmp_path_factory.mktemp("reworded") / "made").folder


def test_questions_in_other_words_are_asked_in_one_run_which_gives_the_whole_table(reworded: Path, serve: Any, tmp_path: Path) -> None:
    release = load_release(reworded)
    rows = {row.variant_id: row for row in read_rewordings(release) if not row.reason}
    asked_for = derived(release.tasks, list(variants_of(release, rows.values())))
    told = {prompt(task).user: (task, rows[variant].strategy) for (_, variant), task in asked_for.items()}

    def reply(request: dict[str, Any]) -> str:
        task, strategy = told[request["messages"][-1]["content"]]
        return f"```python\n{'pass' if strategy == 'function_typo' else task.reference}```"

    url, asked = serve(reply)
    how = chat_model(url)
    given = {"code2bench_repeats": 2, "code2bench_store": str(tmp_path / "kept")}
    found = simple_evaluate(reworded, "code2bench_prompts", given, **how)["results"]["code2bench_prompts"]
    assert len(asked) == 2 * len(asked_for)
    numbers = {name.removesuffix(",judged"): value for name, value in found.items()}
    assert (numbers["function_typo initial pass@1"], numbers["function_typo pass@1"], numbers["function_typo MB"]) == (1, 0, 1)
    assert (numbers["control MB"], numbers["control MB floor"], numbers["description_typo pass@1_b"]) == (0, 0, 1)
    assert numbers["initial pass@1"] == 1 and 0 < numbers["pass@1"] < 1 and numbers["MB excess"] == numbers["MB"] - numbers["MB floor"]
    assert (numbers["function_typo initial case_pass_rate"], numbers["function_typo case_pass_rate"], numbers["control case_pass_rate"]) == (1, 0, 1)
    (run,) = Store(tmp_path / "kept").runs()
    assert {key.variant for key in Store(tmp_path / "kept").results(run.id).verdicts} == set(rows)
    alone = simple_evaluate(reworded, "code2bench_prompts_function_typo", {"code2bench_repeats": 1}, **how)["results"]["code2bench_prompts_function_typo"]
    assert (alone["pass@1,judged"], alone["initial pass@1,judged"]) == (0, 1) and "function_typo pass@1,judged" not in alone


def test_a_release_that_asks_in_one_way_has_no_other_words(release_folder: Path) -> None:
    with pytest.raises(UserError, match="asks its questions in one way"):
        simple_evaluate(release_folder, "code2bench_prompts", model="dummy")


@pytest.fixture(scope="module")
def varied(release_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = VaryConfig(7, chains=("Plain", "FuncNorm"), families=("output", "input"), cases=1, proof_inputs=0)
    return derive(str(release_folder), config, tmp_path_factory.mktemp("varied") / "made").folder


def test_programs_of_a_chain_are_asked_about_five_times(varied: Path, serve: Any) -> None:
    release = load_release(varied)
    told = {prompt(task).user: task for task in release.tasks}
    url, asked = serve(lambda request: told[request["messages"][-1]["content"]].reference)
    how = chat_model(url) | {"limit": 2}
    for name, given in (("output_python_origin", {}), ("input_python", {"code2bench_chain": "FuncNorm", "code2bench_seed": 7})):
        found = simple_evaluate(varied, f"code2bench_{name}", given, **how)["results"][f"code2bench_{name}"]
        assert (found["pass@1,judged"], found["pass@5,judged"]) == (1, 1)
    assert len(asked) == 2 * 2 * 5 and {request["temperature"] for request in asked} == {0.2}
    chains = {task.variation.chain for request in asked if (task := told[request["messages"][-1]["content"]]).variation}
    assert chains == {"Plain", "FuncNorm"}


@pytest.mark.parametrize(("given", "why"), [
    ({"code2bench_chain": "Plan"}, "did you mean 'Plain'"), ({"code2bench_seed": 8}, "was made with the seed 7, and not 8"),
    ({"code2bench_chain": "Swap"}, "only of FuncNorm, Plain"),
])
def test_another_chain_or_seed_than_the_release_has_is_refused(varied: Path, given: dict[str, Any], why: str) -> None:
    with pytest.raises(UserError, match=why):
        simple_evaluate(varied, "code2bench_output_python", given, model="dummy")


@pytest.mark.parametrize("name", ["code2bench", "code2bench_all", "code2bench_dynamic", "code2bench_gene", "code2bench_gene_before"])
def test_our_yaml_names_every_metric_of_the_group(name: str) -> None:
    import yaml

    group = yaml.safe_load((install.SOURCE / f"{name}.yaml").read_text())
    listed = {entry["metric"] for entry in group["aggregate_metric_list"]}
    assert listed == {*(f"pass@{k}" for k in KS), "near_perfect", "case_pass_rate", *SHARES}
    assert {entry["weight_by_size"] for entry in group["aggregate_metric_list"]} == {True}
