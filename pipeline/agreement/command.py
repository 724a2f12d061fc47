"""`code2bench agreement`: how far the judges of a build agree with each other, with the rules and with people."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import click

from harness.errors import UserError
from harness.telling import say
from pipeline.builds import build_folder

_file = click.Path(path_type=Path, dir_okay=False)


@click.command()
@click.argument("build")
@click.option("--labels", multiple=True, type=_file, metavar="FILE", help="Compare with a person's labels.")
@click.option("--export", type=_file, metavar="FILE", help="Write candidates to label, without the models' opinions.")
@click.option("--sample", "size", default=50, show_default=True, type=click.IntRange(min=1), help="How many to export.")
@click.option("--seed", default=0, show_default=True, help="For the export's sample, and for the intervals.")
@click.option("--label", type=_file, metavar="FILE", help="Label what is open in a file, here in the terminal.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")
def agreement(
    build: str, labels: tuple[Path, ...], export: Path | None, size: int, seed: int, label: Path | None, as_json: bool,
) -> None:
    """Say how far the language models that judged a build agree, by Fleiss' and Cohen's kappa.

    BUILD is a name below ./build, or a build's folder or address. Give --labels once for each person. A label is yes or
    no under suitable; Easy, Medium or Hard under difficulty; or nothing. An export to a file that is there keeps its
    rows as they are and adds to them.

    \b
    Example: code2bench agreement demo
             code2bench agreement demo --export ann.csv --sample 50
             code2bench agreement demo --label ann.csv
             code2bench agreement demo --labels ann.csv --labels ben.csv
    """
    if sum(map(bool, (labels, export, label))) > 1:
        raise UserError("--labels, --export and --label are different things to do: give one of them at a time.")
    if export:
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

    done = Labelling(path, panel(build_folder(build)).ids(), quiet=as_json).run()
    if as_json:
        say(json.dumps(asdict(done)))
        return
    rest = "" if done.done == done.rows else "; the same command goes on with the others"
    say(f"{done.done} of {done.rows} candidates in {path} are labelled{rest}.")
