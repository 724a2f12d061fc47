"""The maintainers' commands; each parses, calls one function, and prints."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli import origin_option, sandbox_option, workers_option
from harness.consent import consent_option, consenting
from harness.errors import UserError
from harness.locations import Location, location
from harness.telling import say
from pipeline.builds import build_folder
from pipeline.shipped import configuration

if TYPE_CHECKING:
    from pipeline.release.funnel import FunnelRow


def register(group: click.Group) -> None:
    """Add the maintainers' commands to the `code2bench` command."""
    from pipeline.agreement.command import agreement
    from pipeline.classify.command import classify
    from pipeline.evolve.command import evolve
    from pipeline.experiments.command import experiment
    from pipeline.hub.command import diff, publish, withdraw
    from pipeline.rewording.command import reword_task
    from pipeline.suites.cli import suite
    from pipeline.vary.command import mutate, vary_release

    further = classify, suite, mutate, vary_release, reword_task, evolve, experiment, agreement, publish, withdraw, diff
    for command in (build, choose, index, verify, status, explain, review, quality, *further):
        group.add_command(command)


_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@workers_option
@click.option("--offline", is_flag=True, help="Read sources and models' answers from the cache alone.")
@click.option("--folder", help="Where to work, a path or an address (s3://BUCKET/FOLDER); build/NAME by default.")
@click.option("--until-stage", default="", help="Stop after this stage, such as classify.")
@click.option("--answers", type=click.Path(path_type=Path), help="A release's answers.parquet, to ask no model again.")
@_as_json
def build(
    config: Path, workers: int, offline: bool, folder: str | None, until_stage: str, answers: Path | None,
    as_json: bool,
) -> None:
    """Build a release from its configuration; a killed build goes on where it was.

    CONFIG is a file, or the name of one that comes with the package (demo, 2611). Offline, sources and language models'
    answers come from the cache alone. The release.toml in a release's folder repeats that release, from what is there.

    Example: code2bench build data/releases/demo.toml
    """
    from pipeline.flow import Options
    from pipeline.flow import build as run
    from pipeline.release.funnel import as_json as funnel_json
    from pipeline.release.funnel import funnel

    where = None if folder is None else location(folder)
    result = run(configuration(config), Options(workers, offline, where, until_stage, answers))
    rows = funnel(result.folder)
    if as_json:
        say(json.dumps({"release": str(result.release), "funnel": funnel_json(rows)}))
        return
    say(_told(rows, result.folder))
    if not until_stage:
        say(_summary(result.release, rows[-1].tracks))
        if result.variants is not None and result.variants.is_dir():
            say(f"What variants of its programs give is asked by {result.variants / 'release'}.")
        if result.evolved is not None and result.evolved.is_dir():
            say(f"What its programs give when they are evolved is asked by {result.evolved / 'release'}.")


def _told(rows: Sequence[FunnelRow], folder: Location) -> str:
    """The funnel, and below it what language models were asked."""
    from pipeline.release.asked import account
    from pipeline.release.asked import as_text as asked_text
    from pipeline.release.funnel import as_text, asked

    models = asked_text(asked(rows), account(folder))
    return f"{as_text(rows)}\n\n{models}" if models else as_text(rows)


def _summary(release: Location, tracks: dict[str, int]) -> str:
    name = release.parent.name if isinstance(release, Path) else release
    lines = ["", *(f"{count:>5} tasks in {track}" for track, count in tracks.items())]
    metadata = json.dumps({"code2bench_release": str(release)})
    return "\n".join([
        *lines,
        "",
        f"The release lies in {release}. Look at it with `code2bench show {name} TASK`, check it with",
        f"    code2bench verify {release}",
        "Score a model on it with",
        "    lm_eval --model local-chat-completions --model_args model=MODEL,base_url=URL/v1/chat/completions \\",
        f"        --apply_chat_template --tasks code2bench --metadata '{metadata}'",
    ])


@click.command()
@click.argument("config", type=click.Path(path_type=Path))
@click.option(
    "--output", "--out", type=click.Path(path_type=Path), help="The list to write; sources/github.toml by default.",
)
@click.option("--refresh", is_flag=True, help="Forget what GitHub answered earlier, and ask anew.")
@click.option("--offline", is_flag=True, help="Use earlier answers alone.")
@click.option("--folder", help="Where the funnel goes, a path or an address; build/NAME/choose by default.")
@_as_json
def choose(
    config: Path, output: Path | None, refresh: bool, offline: bool, folder: str | None, as_json: bool
) -> None:
    """Choose repositories of GitHub by the criteria under [github], evenly over the domains, as a source list.

    A token is read from GITHUB_TOKEN or GH_TOKEN. Stopped, the same command goes on.

    Example: code2bench choose data/releases/2611.toml --output data/sources/github.toml
    """
    from pipeline.config_file import load_config
    from pipeline.flow import Options, context_of
    from pipeline.release.funnel import as_json as funnel_json
    from pipeline.release.funnel import as_text, funnel
    from pipeline.sources.choosing import choose as run

    release = load_config(configuration(config))
    context = context_of(release, Options(offline=offline))
    where = Path("build") / release.name / "choose" if folder is None else location(folder)
    choice = run(release, context, output or context.data / "sources" / "github.toml", where, refresh)
    rows = funnel(choice.folder)
    if as_json:
        say(json.dumps({"list": str(choice.path), "chosen": choice.chosen, "funnel": funnel_json(rows)}))
        return
    say(as_text(rows))
    say(f"\n{choice.chosen} repositories are in {choice.path}: name it under lists in [sources], and build.")


@click.command()
@click.argument("release")
@workers_option
@sandbox_option
@consent_option
@_as_json
@origin_option
def verify(release: str, workers: int, sandbox: str, yes: bool, as_json: bool, origin: str) -> None:
    """Run every gate on a finished release again: hashes, rows, references, stubs, coverage.

    One that `vary` or `evolve` has made is made again of its origin, and compared byte by byte.

    Example: code2bench verify build/demo/release
    """
    from pipeline.evolve.verify import is_evolved
    from pipeline.evolve.verify import verify as evolved_again
    from pipeline.vary.verify import verify as run

    if is_evolved(release):
        findings = evolved_again(release, workers, origin, consenting(yes))
    else:
        findings = run(release, workers, sandbox, origin, consenting(yes))
    if as_json:
        say(json.dumps({"ok": not findings, "findings": [vars(f) for f in findings]}))
    else:
        for finding in findings:
            say(f"{finding.gate}: {finding.where}: {finding.what}")
        say(f"{len(findings)} findings." if findings else "The release passes every gate.")
    if findings:
        raise SystemExit(1)


@click.command()
@click.argument("release", metavar="BUILD")
@_as_json
def status(release: str, as_json: bool) -> None:
    """Show the funnel of a build: stage by stage what was read, kept and rejected, and why.

    BUILD is a name below ./build, or a build's folder or address.

    Example: code2bench status demo
    """
    from pipeline.release.funnel import as_json as funnel_json
    from pipeline.release.funnel import choice, funnel

    folder = build_folder(release)
    rows = [*choice(folder), *funnel(folder)]
    say(json.dumps(funnel_json(rows)) if as_json else _told(rows, folder))


@click.command()
@click.argument("release", metavar="BUILD")
@click.argument("wanted")
@_as_json
def explain(release: str, wanted: str, as_json: bool) -> None:
    """Show why a function was kept or dropped, at which stage, on what evidence.

    BUILD is a name below ./build, or a build's folder or address; WANTED is a task id, a function's name, or PATH:NAME.

    Example: code2bench explain demo parse_version
    """
    from pipeline.release.explain import as_text
    from pipeline.release.explain import explain as run

    steps = run(build_folder(release), wanted)
    say(json.dumps([vars(s) for s in steps]) if as_json else as_text(steps))


@click.group()
def index() -> None:
    """Known benchmarks, none of whose functions becomes a task of the next build.

    Example: code2bench index add HumanEval.jsonl.gz
    """


_index_file = click.option(
    "--index", "path", type=click.Path(path_type=Path), default=Path("data/known.jsonl"), show_default=True,
    help="The index, in the data folder of the builds that it is for.",
)


@index.command("add")
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--name", default="", help="What the benchmark is called; the file's name by default.")
@click.option("--field", "fields", multiple=True, help="A column with code; several are joined in this order.")
@_index_file
@_as_json
def index_add(files: tuple[Path, ...], name: str, fields: tuple[str, ...], path: Path, as_json: bool) -> None:
    """Add the functions of a benchmark: Python, JSON, JSON lines or Parquet. Only hashes of them are kept.

    Left out are tests, and functions of fewer than 14 words, which are too short to be anybody's.

    Example: code2bench index add HumanEval.jsonl.gz --name HumanEval
    """
    from pipeline.sources.known import known_in, read_known, write_known

    missing = [str(file) for file in files if not file.exists()]
    if missing:
        raise UserError(f"There is no file {', '.join(missing)}: give a text in UTF-8, plain or as .gz, or Parquet.")
    found = {one for file in files for one in known_in(file, name or file.name.split(".")[0], fields)}
    write_known(path, [*read_known(path), *found])
    counts = dict(sorted(Counter(one.owner for one in found).items()))
    lines = [f"{count} functions of {owner} are in {path}." for owner, count in counts.items()]
    say(json.dumps(counts) if as_json else "\n".join(lines))


@index.command("list")
@_index_file
@_as_json
def index_list(path: Path, as_json: bool) -> None:
    """Say which benchmarks are known, with the number of their functions.

    Example: code2bench index list
    """
    from pipeline.sources.known import read_known

    counts = dict(sorted(Counter(known.owner for known in read_known(path)).items()))
    lines = [f"{count:>7} {owner}" for owner, count in counts.items()]
    say(json.dumps(counts) if as_json else "\n".join(lines) or f"{path} knows no benchmark.")


@index.command("remove")
@click.argument("name")
@_index_file
@_as_json
def index_remove(name: str, path: Path, as_json: bool) -> None:
    """Forget a benchmark.

    Example: code2bench index remove HumanEval
    """
    from pipeline.sources.known import read_known, write_known

    known = read_known(path)
    rest = [one for one in known if one.owner != name]
    if len(rest) == len(known):
        raise UserError(f"{path} knows no benchmark {name!r}: `code2bench index list` names those that it knows.")
    write_known(path, rest)
    count = len(known) - len(rest)
    say(json.dumps({name: count}) if as_json else f"{count} functions of {name} are out of {path}.")


@click.command()
@click.argument("release")
@click.argument("task", default="")
@click.option("--edit", "edited", is_flag=True, help="Write for TASK; RELEASE is then its configuration.")
@click.option("--folder", default="", help="With --edit: where the build is; build/NAME by default.")
@click.option("--answers", type=click.Path(path_type=Path), help="Blind answers: JSON lines of task_id and solution.")
@click.option("--solver", default="", help="With --answers: a pseudonym of whoever gave them.")
@click.option("--reject", "rejected", multiple=True, metavar="TASK", help="Exclude this task without asking.")
@click.option("--reason", default="", help="Why; needed with --reject.")
@click.option("--link", default="", help="Where it was discussed.")
@click.option("--exclusions", type=click.Path(path_type=Path), default=Path("data/exclusions.toml"), show_default=True)
@_as_json
def review(
    release: str, task: str, edited: bool, folder: str, answers: Path | None, solver: str, rejected: Sequence[str],
    reason: str, link: str, exclusions: Path, as_json: bool,
) -> None:
    """Accept or reject tasks one by one; rejections are an input of the next build.

    With --edit the text, the contract and the inputs of one function are written by hand: its file is opened in the
    editor where there is a terminal, all gates are run, and what is wrong is told. The next build takes the file.

    Example: code2bench review demo --reject c2b-0123456789abcdef --reason "needs a table that is not given"

    Example: code2bench review data/releases/demo.toml weigh_words --edit

    With --answers what somebody has written who saw the prompts alone (`code2bench prompts`) is judged and recorded
    beside the exclusions, in curated/answers.jsonl: the next build says of each task how many have solved it.

    Example: code2bench review build/demo/release --answers answers.jsonl --solver reader-1
    """
    if edited:
        from pipeline.config_file import load_config
        from pipeline.flow import Options, context_of, stages
        from pipeline.packaging.flags import for_unanswered
        from pipeline.release.editing import Desk, edit, told
        from pipeline.release.editing import as_json as in_json

        if not task:
            raise UserError("--edit needs a function to write for: give its id or its name behind the configuration.")
        if not release.endswith(".toml"):
            raise UserError(f"{release} is no configuration: give the file that the release is built from.")
        config = load_config(Path(release))
        build = location(folder) if folder else Path("build") / config.name
        gates = stages(replace(config, package=for_unanswered(config.package)))
        desk = Desk(config, build, context_of(config, Options()), gates)
        tried = edit(desk, task, interactive=sys.stdin.isatty() and sys.stdout.isatty(), quiet=as_json)
        say(json.dumps(in_json(tried)) if as_json else told(tried))
        sys.exit(1 if tried.refusal else 0)
    if release.endswith(".toml"):
        raise UserError(f"{release} is a configuration: add --edit to write for a function, or name a release.")
    if task:
        raise UserError(f"Say what is to become of {task}: give --edit to write for it, or --reject to exclude it.")
    if rejected and not reason.strip():
        raise UserError("--reject needs a reason that others understand: give it in a sentence by --reason.")
    if answers is not None:
        from pipeline.release.review import record

        recorded = record(release, answers, solver, exclusions.parent / "curated" / "answers.jsonl")
        say(json.dumps(vars(recorded)) if as_json else str(recorded))
        return
    from pipeline.release.review import Decision, ask, decide

    decisions = [Decision(task, reason, link) for task in rejected] or ask(release, exclusions)
    done: list[Any] = [vars(d) for d in decide(release, decisions, exclusions)]
    say(json.dumps(done) if as_json else f"{len(done)} tasks are excluded from the next build ({exclusions}).")


@click.command()
@click.argument("release")
@click.option("--readings", is_flag=True, help="Try plausible wrong answers, too: some seconds for each task.")
@workers_option
@sandbox_option
@_as_json
def quality(release: str, readings: bool, workers: int, sandbox: str, as_json: bool) -> None:
    """Say what is wrong with a release's tasks, as far as a program can see it. What was tried once is kept.

    Example: code2bench quality build/demo/release --readings
    """
    from harness.languages import Machine
    from harness.releases.dataset import DERIVED, load_release
    from harness.runtime import ensure_runtime
    from harness.sandbox import choose
    from pipeline.release.inputs import wrong_answers
    from pipeline.release.quality import as_text
    from pipeline.release.quality import quality as found_in

    loaded = load_release(release)
    if DERIVED in loaded.manifest:
        first = loaded.manifest[DERIVED]["release"]
        raise UserError(f"{loaded.name} asks about programs of {first}: `code2bench quality {first}` looks at these.")
    machine = Machine(choose(kind=sandbox), ensure_runtime(loaded.lock)) if readings else None
    found = found_in(loaded.tasks, machine, workers, wrong_answers(loaded) if readings else {})
    say(json.dumps([one.as_json() for one in found]) if as_json else as_text(found))
