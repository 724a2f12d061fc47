"""The `code2bench` command: it parses, calls one function, and prints; what is heavy is imported inside commands."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from harness import __version__
from harness.command_group import Commands
from harness.consent import consent_option, consenting
from harness.errors import UserError
from harness.telling import printable, say

_SANDBOXES = ["bubblewrap", "container"]
_SOON = 0.5
"""Seconds before progress is shown: what is refused at once leaves no trace of it."""
_F = TypeVar("_F", bound=Callable[..., Any])


def _as_json(function: _F) -> _F:
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(function)


def _unprotected(function: _F) -> _F:
    text = "Run answers without isolation, at your own risk; the results say so."
    return click.option("--unprotected", is_flag=True, envvar="CODE2BENCH_UNPROTECTED", help=text)(function)


def sandbox_option(function: _F) -> _F:
    """Let the user say what isolates."""
    text = "What isolates answers; a container needs podman or docker, and is slower."
    return click.option(
        "--sandbox", type=click.Choice(_SANDBOXES), default=_SANDBOXES[0], show_default=True,
        envvar="CODE2BENCH_SANDBOX", help=text,
    )(function)


def origin_option(function: _F) -> _F:
    """Let the user say what a release of variants was made of."""
    text = "The release that one of variants was made of; its name by default."
    return click.option("--origin", default="", help=text)(function)


def workers_option(function: _F) -> _F:
    """Let the user say how many processes work."""
    text = "Processes; 0 is one per core. The result does not depend on it."
    return click.option("--workers", type=click.IntRange(min=0), default=0, help=text)(function)


_SLICES = ["track", "difficulty", "library", "domain", "month", "chain"]


def _track(function: _F) -> _F:
    text = "Only this track, such as sc-python; repeatable."
    return click.option("--track", "tracks", multiple=True, help=text)(function)


def _store(function: _F, required: bool = False) -> _F:
    text = "A folder that keeps the results of many runs."
    return click.option(
        "--store", type=click.Path(path_type=Path), envvar="CODE2BENCH_STORE", required=required, help=text,
    )(function)


_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 120}


@click.group("code2bench", cls=Commands, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="code2bench")
def cli() -> None:
    """Code benchmarks from code that is newer than a model's knowledge.

    RELEASE is a folder (that of a build will do), the address of one (s3://BUCKET/FOLDER), the name of a release that
    is here (`code2bench releases` lists them), or ORG/NAME@REVISION on the Hub.

    Example: code2bench evaluate demo --samples answers.jsonl
    """


@cli.command()
@click.argument("release")
@click.option("--samples", type=click.Path(path_type=Path), help="JSON lines of `task_id` and `solution`.")
@click.option("--reference", is_flag=True, help="Judge the release's own reference answers.")
@click.option("--stub", is_flag=True, help="Judge functions that do nothing.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Where results go, or /dev/null; beside SAMPLES by default."
)
@workers_option
@click.option("--partial", is_flag=True, help="Score only tasks that have an answer.")
@click.option("--lite", is_flag=True, help="Run only the lite selection of each task's cases: faster, and less strict.")
@click.option("--younger-than", metavar="WHAT", help="Score only tasks younger than a date or a model.")
@click.option("--by", multiple=True, type=click.Choice(_SLICES), help="Also score by this property; repeatable.")
@click.option("--explain", is_flag=True, help="Show the smallest failing case of each task.")
@click.option("--strategy", "strategies", multiple=True, help="Of questions in other words only these; repeatable.")
@click.option("--lenient", is_flag=True, help="Let answers to questions in other words define the first name.")
@click.option("--model", default="", help="Whose answers these are; the results say so.")
@click.option("--revision", default="", help="Which revision of the model.")
@click.option("--sampling", multiple=True, metavar="NAME=VALUE", help="How they were drawn; repeatable.")
@_store
@_track
@sandbox_option
@_unprotected
@consent_option
@_as_json
def evaluate(release: str, as_json: bool, **options: Any) -> None:
    """Judge answers to a release, and print the scores.

    Results are written as they come, and a run that was stopped goes on where it was.

    Example: code2bench evaluate demo --samples answers.jsonl --model m --sampling temperature=0.8 --store results
    """
    from harness.report import as_json as json_report
    from harness.report import text

    evaluation = _evaluate(release, **options)
    say((json_report if as_json else text).render(evaluation))


def _evaluate(
    release: str, samples: Path | None, reference: bool, stub: bool, output: Path | None, tracks: tuple[str, ...],
    younger_than: str | None, model: str, revision: str, sampling: tuple[str, ...], yes: bool,
    strategies: tuple[str, ...], lenient: bool, **how: Any,
) -> Any:
    from dataclasses import replace

    from tqdm import tqdm

    from harness.answers.samples import Samples, read_samples
    from harness.releases.ages import cutoff
    from harness.releases.dataset import load_release
    from harness.rewordings import has_rewordings, read_rewordings, variants_of
    from harness.scoring import evaluate as judging
    from harness.scoring.lenient import leniently
    from harness.scoring.subject import subject

    if (samples is not None) + reference + stub != 1:
        raise UserError("Say what to judge: give one of --samples FILE, --reference and --stub.")
    if samples is None and (model or revision or sampling):
        raise UserError("--model, --revision and --sampling say whose --samples these are; leave them out.")
    limit = cutoff(younger_than) if younger_than is not None else None
    whose, consent = subject(model, revision, sampling), consenting(yes)
    loaded = load_release(release, tracks or None)
    kind = "samples" if samples else "reference" if reference else "stub"
    options = judging.Options(output, younger_than=limit, subject=whose, consent=consent, **how)
    tasks = judging.scored(loaded, options)
    reworded = has_rewordings(loaded) or strategies
    if lenient and not reworded:
        raise UserError(f"--lenient is about questions in other words, and {loaded.name} has none: leave it out.")
    if reworded:
        scored = {task.task_id for task in tasks}
        rows = (row for row in read_rewordings(loaded, strategies) if row.task_id in scored)
        options = replace(options, variants=tuple(variants_of(loaded, rows)))
    places = judging.asked(loaded, options)
    if samples is not None:
        left_out = {task.task_id for task in loaded.tasks} - {task.task_id for task in tasks}
        found = read_samples(samples, tasks, options.partial, left_out, places if reworded else None)
    else:
        made = (judging.references if reference else judging.stubs)(places.values())
        found = Samples(judging.of_variants(places, made), ())
    if lenient:
        names = {task.task_id: task.entry_point for task in loaded.tasks}
        found = replace(found, answers=leniently(found.answers, places, names))
        kind = f"{kind}, lenient"
    notes = [*loaded.notes, *found.notes]
    if samples is not None and output is None:
        options = replace(options, output=_beside(samples, options.lite, lenient))
        notes += [] if options.output else ["The results are not kept; name a file for them by --output."]
    options = replace(options, ready=partial(_tell, notes))
    with tqdm(total=len(found.answers), unit="answer", disable=None, delay=_SOON) as progress:
        evaluation = judging.evaluate(loaded, found.answers, options, kind, progress)
    return replace(evaluation, notes=(*loaded.notes, *found.notes))


def _tell(notes: Iterable[str]) -> None:
    for note in notes:
        say(f"Note: {printable(note)}", err=True)


def _beside(samples: Path, lite: bool, lenient: bool) -> Path | None:
    """Where results go that nobody has named a file for; nowhere for samples that come through a pipe of the shell."""
    if not samples.is_file() and Path(os.path.abspath(samples)).parts[1] in ("dev", "proc"):
        return None
    return samples.with_suffix(f"{'.lite' if lite else ''}{'.lenient' if lenient else ''}.results.jsonl")


@cli.command()
@click.argument("a")
@click.argument("b")
@_store
@click.option("--paired-by", type=click.Choice(["pair_id"]), help="Compare evolved programs (B) with originals (A).")
@click.option("--version", default="", help="With --paired-by: only this version, such as v1; all by default.")
@click.option("--release", default="", help="With --paired-by: the release, by default where it lay then.")
@_as_json
def compare(
    a: str, b: str, store: Path | None, paired_by: str | None, version: str, release: str, as_json: bool
) -> None:
    """Compare two runs on the same release, on the tasks that both have.

    A and B are files of results, or with a store models or ids of runs in it. Shows pass@1 of both, the difference with
    its 95% interval and p-value, and the tasks that make it. With --paired-by pair_id, on a release that `evolve` has
    made, A gives the answers about originals and B those about evolved programs; both may be one file.

    Example: code2bench compare a.results.jsonl b.results.jsonl
    """
    from harness.analysis.paired import analyse
    from harness.report import comparison
    from harness.scoring.store import results

    if paired_by:
        from harness.analysis import pairs
        from harness.releases.dataset import load_release
        from harness.report import tables

        before, after = results(a, store), results(b, store)
        found = pairs.table(pairs.drops(before, after, load_release(release or before.run.source), version))
        say(tables.as_json(found) if as_json else "\n".join(tables.as_text(found)))
        return
    result = analyse(results(a, store), results(b, store))
    say(comparison.as_json(result) if as_json else comparison.as_text(result))


@cli.command()
@click.argument("results", metavar="RESULTS...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--release", default="", help="The release that was answered; by default where it lay then.")
@click.option("--csv", "as_csv", is_flag=True, help="Print lines with commas.")
@click.option("--latex", "as_latex", is_flag=True, help="Print a tabular of LaTeX.")
@click.option("--figures", type=click.Path(path_type=Path), help="A folder for figures and turned cases.")
@click.option("--by", type=click.Choice(["steps"]), help="A row for each quartile of what the origin executes.")
@_as_json
def robustness(
    results: tuple[Path, ...], release: str, as_csv: bool, as_latex: bool, figures: Path | None, by: str | None,
    as_json: bool,
) -> None:
    """Say what variants of programs or questions cost a model, on the tasks that both ask about.

    RESULTS are files that `evaluate` wrote on one release of variants, one for each model. Points are pass@1 of a chain
    or strategy less that of the origin, with their 95% interval, a p-value for all together, and what could be told at
    all. `recited` is the share of answers to altered programs that are what the original gives. Of questions, MB is
    the mean size of changes, beside what chance gives of it; `best elsewhere` is what each task's best words are worth
    on other samples.

    Example: code2bench robustness one.results.jsonl two.results.jsonl
    """
    from harness.analysis import rewordings
    from harness.analysis import robustness as programs
    from harness.releases.dataset import load_release
    from harness.report import figures as draw
    from harness.report import tables
    from harness.report.turned import as_markdown
    from harness.rewordings import has_rewordings
    from harness.scoring.results import read_results

    read = [read_results(path) for path in results]
    answered = load_release(release or read[0].run.source)
    if has_rewordings(answered):
        if by:
            raise UserError(f"{answered.name} varies questions, and --by {by} is about programs: leave it out.")
        sizes = rewordings.analyse(read, answered)
        found, drawn = rewordings.table(sizes, brief=not (as_csv or as_json)), partial(draw.of_questions, sizes)
    else:
        drops = programs.analyse(read, answered)
        told = programs.analyse(read, answered, by_steps=True) if by else drops
        found, drawn = programs.table(told), partial(draw.of_programs, drops)
    if figures is not None:
        made = drawn(figures)
        if not has_rewordings(answered):
            made.append(figures / "turned.md")
            made[-1].write_text(as_markdown(read, answered), "utf-8")
        say(f"Written: {', '.join(map(str, made))}", err=True)
    if as_csv or as_latex:
        say((tables.as_csv if as_csv else tables.as_latex)(found).rstrip("\n"))
    else:
        say(tables.as_json(found) if as_json else "\n".join(tables.as_text(found)))


@cli.command()
@partial(_store, required=True)
@_as_json
def runs(store: Path, as_json: bool) -> None:
    """List the runs in a store: whose answers, how they were drawn, on what, when, and how many are perfect.

    Example: code2bench runs --store results
    """
    from harness.analysis.runs import analyse
    from harness.report import tables
    from harness.scoring.store import Store

    table = analyse(Store(store, to_read=True).runs())
    say(tables.as_json(table) if as_json else "\n".join(tables.as_text(table)))


@cli.command()
@click.argument("release")
@_track
@click.option("--task", "wanted", multiple=True, help="Only this task, by id or name; repeatable.")
@click.option("--strategy", "strategies", multiple=True, help="Of questions in other words only these; repeatable.")
@_as_json
def prompts(
    release: str, tracks: tuple[str, ...], wanted: tuple[str, ...], strategies: tuple[str, ...], as_json: bool
) -> None:
    """Print what models are asked: JSON lines, with --json one array.

    Each has `task_id`; `system` and `user` for chat models; `completion`, the beginning of a file, for the others. Of a
    release that asks in other words, too, each has the `variant` that its answer has to name.

    Example: code2bench prompts demo > prompts.jsonl
    """
    from harness.prompts import prompt
    from harness.releases.dataset import load_release
    from harness.rewordings import has_rewordings, read_rewordings, variants_of
    from harness.show import find
    from harness.variants import derived

    loaded = load_release(release, tracks or None)
    tasks = [find(loaded, one) for one in wanted] or loaded.tasks
    if has_rewordings(loaded) or strategies:
        ids = {task.task_id for task in tasks}
        rows = [row for row in read_rewordings(loaded, strategies) if row.task_id in ids]
        asked = derived(tasks, list(variants_of(loaded, rows)))
        lines = [prompt(task).as_json() | {"variant": variant} for (_, variant), task in asked.items()]
    else:
        lines = [prompt(task).as_json() for task in tasks]
    if as_json:
        say(json.dumps(lines))
    else:
        for line in lines:
            say(json.dumps(line))


@cli.command("releases")
@click.argument("repository", metavar="[ORG/NAME]", required=False)
@_as_json
def list_releases(repository: str | None, as_json: bool) -> None:
    """List the releases of a dataset on the Hub, with their windows and sizes.

    Without a dataset: the releases that are here (built, pulled, or come with the package), and those of the dataset
    that CODE2BENCH_DATASET names.

    Example: code2bench releases ORG/code2bench
    """
    from dataclasses import asdict

    from harness.releases.hub import releases
    from harness.releases.local import here
    from harness.releases.snapshots import DATASET, dataset
    from harness.report.releases import as_text

    asked = repository or dataset()
    found = [*([] if repository else here()), *(releases(asked) if asked else [])]
    if as_json:
        say(json.dumps([asdict(one) for one in found]))
        return
    say(as_text(found))
    if not asked:
        say(f"No dataset on the Hub was asked for more: name one, or set {DATASET}=ORG/NAME.", err=True)


@cli.command()
@click.argument("repository", metavar="ORG/NAME[@REVISION]")
@click.option("--release", default="", help="Which one, such as 2611 or 2611.1; the latest by default.")
@_as_json
def pull(repository: str, release: str, as_json: bool) -> None:
    """Get a release from the Hub, check it, and keep it under its name for all commands.

    Example: code2bench pull ORG/code2bench --release 2611
    """
    from harness.releases.dataset import pull as run

    if release and "@" in repository:
        raise UserError(f"{repository} names its release already: leave out --release.")
    found = run(f"{repository}@{release}" if release else repository)
    _tell(found.notes)
    record = {"name": found.name, "folder": str(found.folder), "commit": found.revision, "tasks": len(found.tasks)}
    say(json.dumps(record) if as_json else (
        f"Release {found.name} ({len(found.tasks)} tasks, commit {found.revision}) is here: all commands know it as "
        f"{found.name}."))


@cli.command()
@click.argument("release")
@click.argument("task")
@click.option("--cases", type=click.IntRange(0), default=10, show_default=True, help="How many cases to show.")
@_as_json
def show(release: str, task: str, cases: int, as_json: bool) -> None:
    """Show one task as a person reads it; TASK is an id, the beginning of one, or a function's name.

    Example: code2bench show demo c2b-0123
    """
    from harness.releases.dataset import load_release
    from harness.rewordings import in_other_words
    from harness.show import as_record, as_text, find

    loaded = load_release(release)
    found = find(loaded, task)
    say(json.dumps(as_record(found)) if as_json else as_text(found, cases) + in_other_words(loaded, found))


@cli.command()
@click.argument("release")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--form", type=click.Choice(["pytest", "humaneval", "jsonl"]), default="pytest", show_default=True,
              help="Tests for pytest, JSON lines as HumanEval has them, or the rows.")
@_track
@_as_json
def export(release: str, folder: Path, form: str, tracks: tuple[str, ...], as_json: bool) -> None:
    """Write a release for those who don't use this harness: files that need nothing of it.

    The tests of `pytest` compare by each task's rule, as `evaluate` does; those of `humaneval` are plain Python, for
    the tasks whose values are. Nothing of it isolates answers.

    Example: code2bench export demo tests-of-demo --form pytest
    """
    from dataclasses import asdict

    from harness.export import export as run
    from harness.releases.dataset import load_release

    done = run(load_release(release, tracks or None), form, folder)
    if as_json:
        say(json.dumps({**asdict(done), "folder": str(done.folder)}))
        return
    say(f"{done.tasks} tasks are in {done.folder}.")
    if done.left_out:
        say(f"{len(done.left_out)} hold values that plain Python has no literals for: {', '.join(done.left_out)}.")


@cli.command()
@click.argument("release", required=False)
@click.option("--lock", type=click.Path(path_type=Path), help="A hashed list of packages, in place of a release.")
@_as_json
def runtime(release: str | None, lock: Path | None, as_json: bool) -> None:
    """Make the environment that answers to a release run in; where it is there already, say where.

    Example: code2bench runtime demo
    """
    from harness.languages.registry import language
    from harness.records import FIRST_LANGUAGE
    from harness.runtime import ensure_runtime

    if (release is None) == (lock is None):
        raise UserError("Give the release whose runtime is wanted, or --lock FILE.")
    from harness.releases.dataset import load_release

    locks = {FIRST_LANGUAGE: lock} if lock else load_release(str(release), tracks=()).locks
    for name, one in sorted(locks.items()):
        made = ensure_runtime(one, name)
        record = {"folder": str(made.prefix), made.language: made.version, "lock_sha256": made.lock_sha256}
        title = language(name).title
        say(json.dumps(record) if as_json else f"The runtime ({title} {made.version}) is in {made.prefix}.")


@cli.command()
@click.argument("release", required=False)
@sandbox_option
@_as_json
def doctor(release: str | None, sandbox: str, as_json: bool) -> None:
    """Say what works on this machine: isolation, the release's runtime, lm-eval's tasks.

    Exits with 1 when something is missing.

    Example: code2bench doctor demo
    """
    from harness.doctor import examine

    findings = examine(release, sandbox)
    if as_json:
        say(json.dumps([vars(finding) for finding in findings]))
    else:
        for finding in findings:
            say(printable(f"{'ok ' if finding.ok else 'NO '} {finding.what}: {finding.says}"))
    if not all(finding.ok for finding in findings):
        sys.exit(1)


@cli.command("install-lm-eval")
@click.option("--remove", is_flag=True, help="Take the files out again.")
@_as_json
def install_lm_eval(remove: bool, as_json: bool) -> None:
    """Put the tasks into lm-eval's folder; needed for an editable install only, a wheel brings them.

    Example: code2bench install-lm-eval
    """
    from harness.lm_eval.install import install, uninstall

    folder, names = (uninstall if remove else install)()
    if as_json:
        say(json.dumps({"folder": str(folder), "files": names, "removed": remove}))
    else:
        say(f"{len(names)} files {'removed from' if remove else 'are in'} {folder}.")


def main() -> None:
    """The console script."""
    cli.main(prog_name="code2bench")
