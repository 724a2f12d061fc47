"""The commands that write to the Hub, and the one that tells two releases apart."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from harness.cli import origin_option, sandbox_option, workers_option
from harness.telling import say

_repository = click.option("--repo", "repository", required=True, metavar="ORG/NAME", help="The dataset on the Hub.")
_as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")


@click.command()
@click.argument("release")
@_repository
@click.option("--public", is_flag=True, help="Let everybody see the repository; a new one is private without it.")
@click.option("--gated", is_flag=True, help="Let people accept terms before they get the data.")
@click.option("--correction", is_flag=True, help="Publish as a correction (v2611.1) of the release of that name.")
@click.option("--space", is_flag=True, help="Put up the release's page, a static Space of the same name.")
@click.option("--veil", is_flag=True, help="Hide answers from crawlers, with a key that stands in the card.")
@origin_option
@click.option("--dry-run", is_flag=True, help="Show what would change, and write nothing.")
@workers_option
@sandbox_option
@_as_json
def publish(release: str, repository: str, as_json: bool, **how: Any) -> None:
    """Verify a release, upload it, read it again, compare everything, and only then tag it.

    The token is read from HF_TOKEN, or from where `hf auth login` keeps it. Stopped, the same command goes on; a tag
    that exists is never moved.

    Example: code2bench publish build/2611/release --repo ORG/code2bench --public
    """
    from pipeline.hub.publishing import Options
    from pipeline.hub.publishing import publish as run

    done = run(release, repository, Options(**how))
    if as_json:
        say(json.dumps({**asdict(done), "load": "\n".join(done.lines)}))
        return
    for step in done.steps:
        say(f"- {step}")
    published = "\n    ".join((f"Published: {done.url}\n", *done.lines))
    say("Nothing was written." if how["dry_run"] else published)


@click.command()
@click.argument("task")
@_repository
@click.option("--reason", required=True, help="Why, in a sentence that everybody may read.")
@click.option("--exclusions", type=click.Path(path_type=Path), default=Path("data/exclusions.toml"), show_default=True)
@_as_json
def withdraw(task: str, repository: str, reason: str, exclusions: Path, as_json: bool) -> None:
    """Announce that TASK, an id or a function's name, has to go, and keep it out of the next build.

    Tags don't move: an advisory on the default branch tells whoever uses the releases that hold the task, and the page
    shows it no more. Then build again, and publish with --correction.

    Example: code2bench withdraw c2b-0123456789abcdef --repo ORG/code2bench --reason "the author asks for it"
    """
    from pipeline.hub.withdrawal import withdraw as run

    done = run(task, repository, reason, exclusions)
    if as_json:
        say(json.dumps({**asdict(done.advisory), "page": done.page}))
        return
    holding = ", ".join(done.advisory.releases)
    say(f"{done.advisory.note} It is in {holding}; {exclusions} keeps it out of the next build.")
    if done.page:
        say(f"Its page shows it no more: {done.page}")


@click.command()
@click.argument("before")
@click.argument("after")
@_as_json
def diff(before: str, after: str, as_json: bool) -> None:
    """Say which tasks one release has that another one has not, and which have changed, and why.

    Example: code2bench diff ORG/code2bench@v2611 ORG/code2bench@v2611.1
    """
    from harness.releases.dataset import load_release
    from harness.releases.hub import is_name
    from pipeline.hub.withdrawal import causes
    from pipeline.release.changes import as_json as changes_json
    from pipeline.release.changes import as_text, changes

    known = causes(after.partition("@")[0]) if is_name(after) and not Path(after).exists() else ()
    found = changes(load_release(before), load_release(after), advisories=known)
    say(json.dumps(changes_json(found)) if as_json else as_text(found))
