"""`code2bench agreement`: how far the judges of a build agree with each other, with the rules and with people."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from harness.errors import UserError
from harness.telling import say
from pipeline.builds import build_folder

if TYPE_CHECKING:
    from pipeline.agreement.labelling import Labelled

_file = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("build")
@click.option("--labels", multiple=True, type=_file, metavar="FILE", help="Compare with a person's labels.")
@click.option("--export", type=_file, metavar="FILE", help="Write candidates to label, without the models' opinions.")
@click.option(
    "--sample", "size", default=50, show_default=True, type=click.IntRange(min=1),
    help="How many to export; with --variants, of each strategy.")
@click.option("--seed", default=0, show_default=True, help="For the export's sample, and for the intervals.")
@click.option("--label", type=_file, metavar="FILE", help="Label what is open in a file, here in the terminal.")
@click.option("--variants", is_flag=True, help="Label whether questions in other words mean the same.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def agreement(
    build: str, labels: tuple[Path, ...], export: Path | None, size: int, seed: int, label: Path | None,
    variants: bool, as_json: bool,
) -> None:
    """Say how far the language models that judged a build agree, by Fleiss' and Cohen's kappa.

    BUILD is a name below ./build, or a build's folder or address. Give --labels once for each person. A label is yes or
    no under suitable; Easy, Medium or Hard under difficulty; or nothing. An export to a file that is there keeps its
    rows as they are and adds to them.

    With --variants, BUILD is a release of questions in other words, and a label is same or other under meaning. Printed
    is the share of each strategy that keeps its meaning; where several people label a question, all have to say same.

    \b
    Example: code2bench agreement demo
             code2bench agreement demo --export ann.csv --sample 50
             code2bench agreement demo --label ann.csv
             code2bench agreement demo --labels ann.csv --labels ben.csv
             code2bench agreement build/demo-0-prompts --variants --export ann.csv
    """
    if sum(map(bool, (labels, export, label))) > 1:
        raise UserError("--labels, --export and --label are different things to do: give one of them at a time.")
    if variants:
        _of_variants(build, labels, export, size, seed, label, as_json)
    elif export:
        _export(build, export, size, seed, as_json)
    elif label:
        _label(build, label, as_json)
    else:
        _compare(build, labels, seed, as_json)


def _compare(build: str, labels: tuple[Path, ...], seed: int, as_json: bool) -> None:
    from pipeline.agreement import comparison
    from pipeline.agreement.opinions import panel

    report = comparison.compare(panel(build_folder(build)), labels, seed)
    say(json.dumps(comparison.as_json(report)) if as_json else comparison.as_text(report))


def _export(build: str, path: Path, size: int, seed: int, as_json: bool) -> None:
    from pipeline.agreement import labels
    from pipeline.agreement.opinions import panel

    here = panel(build_folder(build))
    drawn = labels.sample(here.subjects(), here.majority, size, seed)
    done = labels.export(path, drawn, here.ids())
    if as_json:
        say(json.dumps(asdict(done)))
        return
    fewer = f" (the models judged no more than {len(drawn)})" if len(drawn) < size else ""
    say(f"{path} has {done.rows} candidates, {done.added} of them new{fewer}, and {done.labelled} with a label.")
    say("Fill in suitable and difficulty in a spreadsheet, or one by one with")
    say(f"    code2bench agreement {build} --label {path}")


def _label(build: str, path: Path, as_json: bool) -> None:
    from pipeline.agreement.labelling import Labelling
    from pipeline.agreement.opinions import panel

    _tell(Labelling(path, panel(build_folder(build)).ids(), quiet=as_json).run(), "candidates", as_json)


def _tell(done: Labelled, what: str, as_json: bool) -> None:
    if as_json:
        say(json.dumps(asdict(done)))
        return
    rest = "" if done.done == done.rows else "; the same command goes on with the others"
    say(f"{done.done} of {done.rows} {what} in {done.file} are labelled{rest}.")


def _of_variants(
    where: str, labels: tuple[Path, ...], path: Path | None, each: int, seed: int, label: Path | None, as_json: bool
) -> None:
    from harness.releases.dataset import load_release
    from pipeline.agreement import variants

    release = load_release(where)
    if label:
        _tell(variants.label_pairs(release, label, quiet=as_json), "questions", as_json)
    elif path:
        done = variants.export_pairs(release, path, each, seed)
        say(json.dumps(asdict(done)) if as_json else (
            f"{path} has {done.rows} questions, {done.added} of them new, and {done.labelled} with a label.\n"
            f"Fill in meaning in a spreadsheet, or one by one with\n"
            f"    code2bench agreement {where} --variants --label {path}"))
    else:
        found = variants.shares(release, labels)
        say(json.dumps(variants.as_json(found)) if as_json else variants.as_text(found))
