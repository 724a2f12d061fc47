"""What the YAML files name: the benchmark as a class of lm-eval's, which asks by our prompts and judges by our judge.

lm-eval sees ids, instructions and signatures; cases and reference answers stay in this object, and out of its logs.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import lru_cache, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

import datasets
from lm_eval.api.filter import Filter, FilterEnsemble
from lm_eval.api.instance import Instance
from lm_eval.api.metrics import mean
from lm_eval.api.task import ConfigurableTask
from tqdm import tqdm

from harness.answers.extraction import extract
from harness.errors import UserError, guess
from harness.languages import Machines
from harness.locations import shown
from harness.prompts import prompt, stop
from harness.records import Spectrum, Task, Verdict
from harness.releases.dataset import DERIVED, Release, load_release
from harness.releases.snapshots import DEFAULT_RELEASE
from harness.sandbox.choice import BUBBLEWRAP
from harness.scoring.evaluate import Place, describe, judge_answers, key_of, machine_for
from harness.scoring.metrics import KS, pass_at_k
from harness.scoring.results import Key
from harness.scoring.store import VARIABLE, Store
from harness.scoring.subject import of_configuration
from harness.telling import printable

RELEASE_KEY, REPEATS_KEY, UNPROTECTED_KEY = "code2bench_release", "code2bench_repeats", "code2bench_unprotected"
CHAIN_KEY, SEED_KEY = "code2bench_chain", "code2bench_seed"
RELEASE_VARIABLE, UNPROTECTED_VARIABLE = "CODE2BENCH_RELEASE", "CODE2BENCH_UNPROTECTED"
SANDBOX_KEY, SANDBOX_VARIABLE = "code2bench_sandbox", "CODE2BENCH_SANDBOX"
STORE_KEY = "code2bench_store"
FILTER = "judged"

_log = logging.getLogger("lm_eval.code2bench")


class Refused(UserError, SystemExit):
    """A user's mistake that ends lm-eval with the sentence alone; as a library it is an exception like any other."""

    def __init__(self, sentence: str) -> None:
        super().__init__(f"code2bench: {printable(sentence)}")
        self.code = str(self)


def chosen_release(metadata: Mapping[str, Any]) -> tuple[str, str]:
    """Which release is meant, and who said so: `--metadata`, the environment, or nobody."""
    if metadata.get(RELEASE_KEY):
        return str(metadata[RELEASE_KEY]), f"--metadata {RELEASE_KEY}"
    if os.environ.get(RELEASE_VARIABLE):
        return os.environ[RELEASE_VARIABLE], f"${RELEASE_VARIABLE}"
    return DEFAULT_RELEASE, f"the default; choose one by --metadata '{{\"{RELEASE_KEY}\": ...}}' or ${RELEASE_VARIABLE}"


class Code2Bench(ConfigurableTask):  # type: ignore[misc]
    """One track of a release. The release, the sandbox and the runtime are looked at before any model is asked."""

    def __init__(self, config: dict[str, Any]) -> None:
        config = {key: value for key, value in config.items() if key != "class"}
        metadata = dict(config.get("metadata") or {})
        config["repeats"] = _positive(metadata.get(REPEATS_KEY, config.get("repeats", 1)))
        config["process_results"] = _unused
        self._release, self._machine = _prepare(config["dataset_name"], metadata)
        if SEED_KEY in metadata:
            _check_seed(self._release, metadata[SEED_KEY])
        if metadata.get(CHAIN_KEY):
            self._release = _of_chain(self._release, str(metadata[CHAIN_KEY]))
        self._asked = self._questions(metadata)
        ways = self.higher_is_better()
        config["metric_list"] = [{"metric": m, "aggregation": mean, "higher_is_better": u} for m, u in ways.items()]
        self._store = _store(metadata)
        self._run = describe(self._release, self._machine, "samples", tasks=self._asked.values())
        config["metadata"] = {**metadata, "code2bench": asdict(self._run), "version": self._run.release}
        super().__init__(config=config)
        judge = partial(Judge, asked=self._asked, machine=self._machine, keep=self._keep)
        self._filters = [FilterEnsemble(FILTER, [judge])]

    def _questions(self, _further: Mapping[str, Any]) -> dict[Place, Task]:
        """What is asked: the tasks, by their ids and those of variants."""
        return {(task.task_id, ""): task for task in self._release.tasks}

    def _keep(self, verdicts: Sequence[tuple[Key, Verdict]]) -> None:
        """Put all verdicts into the store, with the model and the sampling as they are in lm-eval's configuration."""
        if self._store is not None:
            who = of_configuration(self.config.metadata, self.config.generation_kwargs or {})
            run = replace(self._run, model=who.model, model_revision=who.revision, sampling=who.sampling)
            self._store.add(run, verdicts, {task.task_id: task.entry_point for task in self._release.tasks})

    def download(self, *_: Any, **__: Any) -> None:
        """Give lm-eval the part of the rows that it may see; everything has been loaded already."""
        rows = [_document(task) | ({"variant": variant} if variant else {})
                for (_, variant), task in self._asked.items()]
        self.dataset = datasets.DatasetDict({"test": datasets.Dataset.from_list(rows)})

    def fewshot_context(
        self, doc: dict[str, Any], *_: Any, system_instruction: str | None = None, apply_chat_template: bool = False,
        chat_template: Callable[..., Any] | None = None, **__: Any,
    ) -> Any:
        """The prompt: two messages for a chat model, the beginning of a file for any other."""
        asked = prompt(self._asked[place_of(doc)])
        if not (apply_chat_template and chat_template):
            return asked.completion
        system = f"{system_instruction}\n\n{asked.system}" if system_instruction else asked.system
        return chat_template([{"role": "system", "content": system}, {"role": "user", "content": asked.user}])

    def construct_requests(self, doc: dict[str, Any], ctx: Any, **kwargs: Any) -> Instance:
        """One request; a completion ends where the function must have ended, unless the user said where."""
        instance = super().construct_requests(doc, ctx, **kwargs)
        if not kwargs.get("apply_chat_template") and not instance.arguments[1].get("until"):
            instance.arguments[1]["until"] = list(stop(self._asked[place_of(doc)]))
        return cast("Instance", instance)

    def apply_filters(self) -> None:
        """Judge all answers in one go, unless lm-eval was told to predict only."""
        if "bypass" in self._metric_fn_list:
            for instance in self._instances:
                instance.filtered_resps[FILTER] = instance.resps
        else:
            super().apply_filters()

    def process_results(self, _doc: dict[str, Any], results: Sequence[Any]) -> dict[str, float]:
        """The metrics of one task over all its samples."""
        if "bypass" in self._metric_fn_list:
            return {"bypass": 999}
        return task_metrics(results[0])

    def aggregation(self) -> dict[str, Callable[[list[float]], float]]:
        """Everything is a mean over tasks."""
        return dict.fromkeys((*METRICS, "bypass"), mean)

    def higher_is_better(self) -> dict[str, bool]:
        """Which way each metric points."""
        return dict(METRICS)


METRICS = {
    **{f"pass@{k}": True for k in KS},
    "near_perfect": True,
    "case_pass_rate": True,
    **{outcome.value: outcome is Spectrum.PERFECT for outcome in Spectrum},
}
"""All metrics, and whether higher is better; pass@k comes out for those k that there are samples for."""


def task_metrics(verdicts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The metrics of one task from the judged samples, as the filter gives them."""
    total = len(verdicts)
    outcomes = [verdict["outcome"] for verdict in verdicts]
    right = outcomes.count(Spectrum.PERFECT.value)
    return {
        **{f"pass@{k}": pass_at_k(total, right, k) for k in KS if k <= total},
        "near_perfect": outcomes.count(Spectrum.NEAR_PERF.value) / total,
        "case_pass_rate": sum(v["passed"] / v["total"] for v in verdicts) / total,
        **{outcome.value: outcomes.count(outcome.value) / total for outcome in Spectrum},
    }


class Judge(Filter):  # type: ignore[misc]
    """lm-eval's filter that sees all samples of all tasks: they are judged in one batch over all cores."""

    def __init__(
        self, asked: Mapping[Place, Task], machine: Machines, keep: Callable[[Sequence[tuple[Key, Verdict]]], None],
    ) -> None:
        super().__init__()
        self._asked = asked
        self._machine = machine
        self._keep = keep

    def apply(self, resps: Any, docs: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
        """For each task the verdicts on its samples: outcome and counts, nothing that tells the expected values."""
        answers = [list(samples) for samples in resps]
        pairs = [(self._task(doc), place_of(doc)[1], samples) for doc, samples in zip(docs, answers, strict=True)]
        jobs = [(task, extract(answer or "", task)) for task, _, samples in pairs for answer in samples]
        found = tqdm(judge_answers(jobs, self._machine), total=len(jobs), desc="Judging", disable=None)
        made = [verdict for _, verdict in sorted(found, key=itemgetter(0))]
        numbers = [(number, variant) for _, variant, samples in pairs for number in range(len(samples))]
        keys = [key_of(task, code, *number) for (task, code), number in zip(jobs, numbers, strict=True)]
        self._keep(list(zip(keys, made, strict=True)))
        verdicts = iter(made)
        judged = [[next(verdicts) for _ in samples] for samples in answers]
        return [[{"outcome": v.outcome.value, "passed": v.passed, "total": v.total} for v in row] for row in judged]

    def _task(self, doc: Mapping[str, Any]) -> Task:
        task = self._asked.get(place_of(doc))
        if task is None or task.task_digest != doc["task_digest"]:
            raise Refused("the cached requests are those of another release; give lm-eval --cache_requests refresh.")
        return task


def place_of(doc: Mapping[str, Any]) -> Place:
    """What a document asks: the ids of the task and of the variant, "" for the task itself."""
    return doc["task_id"], doc.get("variant") or ""


def _prepare(track: str, metadata: Mapping[str, Any]) -> tuple[Release, Machines]:
    where, said_by = chosen_release(metadata)
    unprotected = bool(metadata.get(UNPROTECTED_KEY) or os.environ.get(UNPROTECTED_VARIABLE))
    sandbox = str(metadata.get(SANDBOX_KEY) or os.environ.get(SANDBOX_VARIABLE) or BUBBLEWRAP)
    try:
        release = _loaded(where, track)
        machine = machine_for(release, unprotected, sandbox, consent=_tell)
    except UserError as error:
        raise Refused(f"{error} (Release {shown(where)!r}: {said_by}.)") from None
    revision = f" at {release.revision}" if release.revision else ""
    said = f"release {release.name}{revision} from {shown(where)} ({said_by}), {f'track {track}' if track else 'whole'}"
    _log.warning(
        "code2bench: %s, %d tasks; isolation: %s", printable(said), len(release.tasks), machine.sandbox.isolation)
    for note in release.notes:
        _tell(note)
    return release, machine


@lru_cache(maxsize=8)
def _loaded(where: str, track: str) -> Release:
    """A track of a release: many tasks of lm-eval's ask for the same one."""
    return load_release(where, [track] if track else None)


def _of_chain(release: Release, chain: str) -> Release:
    """The release with the rows alone that ask about variants of a chain."""
    tasks = tuple(task for task in release.tasks if task.variation is not None and task.variation.chain == chain)
    if not tasks:
        known = {task.variation.chain for task in release.tasks if task.variation is not None} - {""}
        raise Refused(
            f"release {release.name} asks about no variants of the chain {chain}{guess(chain, known)}, only of "
            f"{', '.join(sorted(known)) or 'none'}: make one that does by `code2bench vary RELEASE --chain {chain}`.")
    return replace(release, tasks=tasks)


def _check_seed(release: Release, seed: Any) -> None:
    """Raise `Refused` for a release that was made with another seed: one that is read can't be made anew."""
    made = release.manifest.get("seed")
    if seed != made:
        parent = release.manifest.get(DERIVED, {}).get("release", release.name)
        raise Refused(
            f"release {release.name} was made with the seed {made}, and not {seed}: make one that is by "
            f"`code2bench vary {shown(parent)} --seed {seed}`, or leave out {SEED_KEY}.")


def _tell(sentence: str) -> None:
    _log.warning("code2bench: %s", printable(sentence))


def _store(metadata: Mapping[str, Any]) -> Store | None:
    """The store that `--metadata` or the environment names."""
    folder = metadata.get(STORE_KEY) or os.environ.get(VARIABLE)
    try:
        return Store(Path(str(folder))) if folder else None
    except UserError as error:
        raise Refused(str(error)) from None


def _document(task: Task) -> dict[str, str]:
    """What lm-eval sees and logs of a task."""
    return {
        "task_id": task.task_id, "task_digest": task.task_digest, "entry_point": task.entry_point,
        "signature": task.signature, "instruction": task.instruction,
    }


def _positive(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise Refused(f"{REPEATS_KEY} should be a number of samples such as 10, not {value!r}.")
    return value


def _unused(doc: dict[str, Any], results: Sequence[Any]) -> dict[str, float]:
    """Tells lm-eval that the metrics are ours, so that it looks up none by name."""
    raise AssertionError(f"process_results of the class answers for {doc['task_id']} ({len(results)})")
