"""`code2bench evolve`: a release of evolved programs, and what is known of them."""

from __future__ import annotations

import copy
import difflib
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from harness.cli import workers_option
from harness.errors import UserError
from harness.telling import say
from pipeline.config import EvolveConfig

if TYPE_CHECKING:
    from pipeline.evolve.derived import Made
    from pipeline.evolve.rows import EvolvedProgram


class _Evolve(click.Group):
    """A group whose first word, where it is no command, is a release that is to be evolved."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or the one that evolves the release of that name."""
        found = super().get_command(ctx, cmd_name)
        if found is not None:
            return found
        made = copy.copy(self.commands["release"])
        named = click.Argument(["release"], default=cmd_name, required=False)
        made.params = [named if one.name == "release" else one for one in made.params]
        return made


@click.group(cls=_Evolve)
def evolve() -> None:
    """Evolve the programs of a release towards the complexity of real ones, and ask about both.

    `code2bench evolve RELEASE` makes a release; a killed run goes on where it was. The commands below tell of it.

    Example: code2bench evolve demo --seed 1
    """


_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


@evolve.command("release")
@click.argument("release")
@click.option("--out", type=click.Path(path_type=Path), help="Where to work; build/NAME-evolved-SEED by default.")
@click.option("--seed", default=0, show_default=True, help="Another seed makes other programs.")
@click.option("--versions", default=3, show_default=True, help="So many evolved programs of each task.")
@click.option("--operators", default="", help="Codes of operators, such as S1,S2; all by default.")
@click.option("--strategy", default="nsga2", show_default=True, help="nsga2, breed, greedy or random.")
@click.option("--profile", default="paper", show_default=True, help="Thresholds of data/complexity.toml.")
@click.option(
    "--limits", default="usual", show_default=True, help="How often operators may be used: usual, rich or paper.")
@click.option("--evaluations", default=240, show_default=True, help="Programs that a search may look at.")
@click.option("--population", default=24, show_default=True, help="Programs that live at a time.")
@click.option("--readability", default=0.88, show_default=True, help="The share of readability that is kept.")
@click.option("--pick", type=click.Choice(["readable", "paper"]), default="readable", show_default=True)
@click.option(
    "--family", "families", multiple=True, help="output, input, repair or translation; repeatable, all by default.")
@click.option("--cases", default=3, show_default=True, help="So many cases of each program are asked about.")
@click.option("--shots", default=0, show_default=True, help="So many worked examples stand in each prompt: 0 or 1.")
@click.option("--model", default="", help="The model that names what is added, in place of rules.")
@click.option(
    "--models", type=click.Path(path_type=Path), help="The file with [models.NAME], such as a release.toml.")
@click.option("--task", "only", multiple=True, help="Only this task, by its id or function; repeatable.")
@workers_option
@_as_json
def evolve_release(
    release: str, out: Path | None, operators: str, families: Sequence[str], models: Path | None, only: Sequence[str],
    workers: int, as_json: bool, **settings: Any,
) -> None:
    """Evolve the programs of RELEASE; the result is a release, and all commands take it.

    Example: code2bench evolve release demo --seed 1 --out build/demo-evolved
    """
    from pipeline.evolve.derived import derive
    from pipeline.release.asking import office_of

    codes = tuple(one.strip() for one in operators.split(",") if one.strip())
    usual = EvolveConfig()
    config = EvolveConfig(operators=codes, families=tuple(families) or usual.families, **settings)
    made = derive(release, config, out, workers, only, office=office_of(config.model, models, "evolve"))
    say(json.dumps(_as_record(made)) if as_json else _told(made))


def _as_record(made: Made) -> dict[str, Any]:
    from pipeline.evolve.derived import bug_shares, by_version

    return {
        "release": str(made.folder), "rows": made.rows, "left_out": made.left_out,
        "versions": [asdict(row) for row in by_version(made.programs)], "bugs": bug_shares(made.bugs),
        "translations": made.translations,
    }


def _told(made: Made) -> str:
    from pipeline.evolve.derived import bug_shares, by_version
    from pipeline.vary.derived import TRANSLATIONS

    names = f"{'version':<9} {'programs':>8} {'RC':>6} {'RR':>6} {'pylint':>6} "
    names += f"{'operators':>9} {'tokens':>6} {'dead':>5}"
    lines = [names]
    for row in by_version(made.programs):
        dead = "" if row.dead is None else f"{row.dead:.2f}"
        lines.append(f"{row.version:<9} {row.programs:>8} {row.rc:>6.3f} {row.rr:>6.3f} {row.pylint:>6.2f} "
                     f"{row.operators:>9.1f} {row.tokens:>6.0f} {dead:>5}".rstrip())
    for version, orders in bug_shares(made.bugs).items():
        shares = ", ".join(f"{there} of {every} of order {order}" for order, (there, every) in sorted(orders.items()))
        lines.append(f"faults in {version}: {shares}")
    lines += ["", *(f"{count:>6} rows in {track}" for track, count in made.rows.items())]
    if made.translations:
        lines.append(f"{made.translations:>6} programs to be written in Java in {TRANSLATIONS}; not judged yet")
    if made.left_out:
        lines.append(f"{len(made.left_out):>6} tasks without an evolved program")
    where = made.folder
    lines.append(f"\nThe release lies in {where}. All commands take it, such as `code2bench prompts {where}`.")
    return "\n".join(lines)


def rows_of(release: str, what: str = "evolved") -> list[EvolvedProgram]:
    """The versions of an evolved release, or its `front`; raises `UserError` for another one."""
    from harness.locations import near
    from harness.releases.dataset import load_release
    from pipeline import store
    from pipeline.evolve.derived import EVOLVED, FRONT
    from pipeline.evolve.rows import EvolvedProgram

    found = load_release(release, ())
    with near(found.folder) as here:
        if not (here / EVOLVED).is_file():
            raise UserError(f"{found.name} holds no evolved programs: make some by `code2bench evolve {found.name}`.")
        return list(store.read(here / (FRONT if what == "front" else EVOLVED), EvolvedProgram))


@evolve.command("show")
@click.argument("release")
@click.argument("task")
@click.option("--version", default="v1", show_default=True, help="original, v1, v2, ...")
@click.option("--diff", "as_diff", is_flag=True, help="Show what has changed in place of the whole program.")
@_as_json
def show(release: str, task: str, version: str, as_diff: bool, as_json: bool) -> None:
    """Show an evolved program of TASK, by its id or function, with its operators and measures.

    Example: code2bench evolve show build/demo-evolved/release parse_options_header --diff
    """
    from harness import bundle

    own = [row for row in rows_of(release) if task in (row.task_id, row.entry_point)]
    found = {row.version: row for row in own}
    if version not in found:
        raise UserError(f"{release} has no {version} of {task}: it has {', '.join(found) or 'no such task'}.")
    row, first = found[version], found["original"]
    if as_json:
        say(json.dumps(asdict(row)))
        return
    if row.reason:
        say(f"There is none: {row.evidence}")
        return
    for one in row.operators:
        say(f"{one.code:<4}{one.name:<26} line {one.line} {one.way}".rstrip())
    for name, values in (("C", row.complexity), ("R", row.readability)):
        say(f"{name}: " + " ".join(f"{name}{number + 1}={value:g}" for number, value in enumerate(values)))
    say(f"RC {first.rc:.3f} -> {row.rc:.3f}, RR {first.rr:.3f} -> {row.rr:.3f}, pylint {first.pylint:.2f} -> "
        f"{row.pylint:.2f}, tokens {first.tokens} -> {row.tokens}, dead {row.dead_share}\n")
    text = bundle.shown(row.program)
    if as_diff:
        text = "\n".join(difflib.unified_diff(
            bundle.shown(first.program).splitlines(), text.splitlines(), "original", version, lineterm=""))
    say(text)


@evolve.command("operators")
@click.argument("release", required=False)
@_as_json
def operators(release: str | None, as_json: bool) -> None:
    """List the 22 operators; with a release of evolved programs, how often each was used, and RC with and without it.

    Example: code2bench evolve operators build/demo-evolved/release
    """
    from pipeline.transforms.preserving.evolving.registry import EVOLVERS, limits

    if release is None:
        for code, one in EVOLVERS.items():
            say(f"{code:<4}{one.name:<26} at most {limits().each[code]} times")
        return
    from pipeline.evolve.report import frequencies

    found = frequencies(rows_of(release))
    if as_json:
        say(json.dumps([asdict(row) for row in found]))
        return
    say(f"{'':<4}{'operator':<26} {'programs':>8} {'uses':>6} {'RC with':>8} {'without':>8}")
    for row in found:
        means = f"{_mean(row.rc_with)} {_mean(row.rc_without)}"
        say(f"{row.code:<4}{row.name:<26} {row.programs:>8} {row.uses:>6} {means}".rstrip())


def _mean(value: float | None) -> str:
    return f"{'':>8}" if value is None else f"{value:>8.3f}"


@evolve.command("similarity")
@click.argument("release")
@_as_json
def similarity(release: str, as_json: bool) -> None:
    """Say how alike the versions of each program are, two by two: CodeBLEU, cosine and Jaccard.

    Example: code2bench evolve similarity build/demo-evolved/release
    """
    from harness.report import tables
    from pipeline.evolve.report import similarity_table

    found = similarity_table(rows_of(release))
    say(tables.as_json(found) if as_json else "\n".join(tables.as_text(found)))


@evolve.command("training")
@click.argument("release")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file of JSON lines to write.")
@_as_json
def training(release: str, out: Path, as_json: bool) -> None:
    """Write all programs of a release's versions and fronts as examples to train on, without near duplicates.

    Example: code2bench evolve training build/demo-evolved/release --out training.jsonl
    """
    from pipeline.evolve.report import training_rows

    lines = [json.dumps(row, sort_keys=True) for row in training_rows([*rows_of(release), *rows_of(release, "front")])]
    out.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    say(json.dumps({"programs": len(lines), "file": str(out)}) if as_json else f"{len(lines)} programs are in {out}.")


@evolve.command("report")
@click.argument("release")
@click.argument("results", nargs=-1, type=click.Path(path_type=Path))
@click.option("--figures", type=click.Path(path_type=Path), help="A folder for the figures.")
@_as_json
def report(release: str, results: tuple[Path, ...], figures: Path | None, as_json: bool) -> None:
    """Print the tables of an evolved RELEASE, and of RESULTS on it, which `evaluate` wrote, one file for each model.

    Measures before and after (the paper's Table 4), tokens (Table 6), what evolution costs each model (Table 5), and
    whether the programs that it loses are the more complex ones (Fig. 10). Figures show operators (Fig. 8), too.

    Example: code2bench evolve report build/demo-evolved/release one.results.jsonl --figures figures
    """
    from harness.releases.dataset import load_release
    from harness.report import tables
    from harness.scoring.results import read_results
    from pipeline.evolve.report import complexity_by_fate, drops_table, fates_table, measures_table, tokens_table
    from pipeline.evolve.report_figures import draw

    rows = rows_of(release)
    found = {"measures": measures_table(rows), "tokens": tokens_table(rows)}
    fates = []
    if results:
        read, whole = [read_results(path) for path in results], load_release(release)
        found["drops"] = drops_table(read, whole)
        fates = complexity_by_fate(rows, read, whole)
        found["lost"] = fates_table(fates)
    if as_json:
        say(json.dumps({name: json.loads(tables.as_json(table)) for name, table in found.items()}))
    else:
        say("\n\n".join("\n".join(tables.as_text(table)) for table in found.values()))
    if figures is not None:
        say(f"Written: {', '.join(map(str, draw(rows, figures, fates)))}", err=True)


@evolve.command("thresholds")
@click.argument("config", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="A file of profiles that gets the profile `mined`.")
@workers_option
@_as_json
def mined_thresholds(config: Path, out: Path | None, workers: int, as_json: bool) -> None:
    """Measure the real programs that the lock of CONFIG names: what their classes have, and functions with helpers.

    What is in the cache is read, nothing of it runs, and a killed run goes on. Evolve by `--profile mined`.

    Example: code2bench evolve thresholds data/releases/demo.toml --out data/complexity.toml
    """
    from harness.report import tables
    from pipeline.evolve.thresholds import thresholds

    found = thresholds(config, workers)
    for one in found.missing:
        say(f"Left out: {one}", err=True)
    if out is not None:
        found.write(out)
    counts = {kind: found.count(kind) for kind in found.values}
    if as_json:
        say(json.dumps({
            "projects": found.projects, "files": found.files, "left_out": found.left_out, "missing": found.missing,
            "units": counts, "measures": json.loads(tables.as_json(found.table()))}))
        return
    say("\n".join(tables.as_text(found.table())))
    say(f"\n{counts['class']} classes and {counts['function']} functions of {found.projects} projects; "
        f"{found.left_out} of {found.files} files were generated or can't be read.")


@evolve.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--format", "form", required=True, help="humaneval, cruxeval, mbpp or jsonl.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The folder of the release to write.")
@_as_json
def import_file(file: Path, form: str, out: Path, as_json: bool) -> None:
    """Make a release of another benchmark's FILE, whose programs can be evolved like any other's.

    Answers are what the code gives in the sandbox; assertions that are no call with a value are named and left out.

    Example: code2bench evolve import HumanEval.jsonl --format humaneval --out build/humaneval/release
    """
    from harness.languages import Machine
    from harness.runtime import ensure_runtime
    from harness.sandbox import choose
    from pipeline.evolve.imported import read, tasks, written
    from pipeline.shipped import RUNTIME, shipped

    rows = read(file, form)
    made = tasks(rows, Machine(choose(), ensure_runtime(shipped(RUNTIME))))
    for one in made.left_out:
        say(f"Left out, {one}", err=True)
    for one in made.failed:
        say(f"No task, {one}", err=True)
    if not made.tasks:
        raise UserError(f"Nothing of {file} could be made a task: see above why.")
    written(made.tasks, out, file)
    if as_json:
        say(json.dumps({"release": str(out), "tasks": len(made.tasks), "rows": len(rows)}))
    else:
        say(f"{len(made.tasks)} of {len(rows)} rows are tasks in {out}; evolve them by `code2bench evolve {out}`.")
