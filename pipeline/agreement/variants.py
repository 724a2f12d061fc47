"""Labels by people of questions in other words: a sample to label, and what they say of each strategy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.locations import near
from harness.releases.dataset import Release
from harness.rewordings import read_rewordings
from pipeline.agreement.labelling import Labelled, Labelling, Question, Way
from pipeline.sheets import Exported, export
from pipeline.vary.meanings import LABELS, MEANING, OTHER, PAIRS, SAME, Kept, in_other_words, kept, read_labels, sampled

OF_PAIRS = Way(
    PAIRS,
    "Two texts mean the same if whoever follows one of them would write a function with the same answers as whoever\n"
    "follows the other; a text that tells less, or has slips that everybody reads past, is the same.",
    ("function",), {"original": "The first words:", "reworded": "Other words:"},
    (Question(MEANING, "The same: (y)es, (n)o, (s)kip, (q)uit", {"y": SAME, "n": OTHER}),))


def export_pairs(release: Release, path: Path, each: int, seed: int) -> Exported:
    """Write a sample of each strategy to label; what the file has already stays as it is."""
    return export(path, sampled(release, each, seed), strategies_of(release), PAIRS)


def label_pairs(release: Release, path: Path, quiet: bool) -> Labelled:
    """Ask for what is open in a file."""
    return Labelling(path, strategies_of(release), quiet, OF_PAIRS).run()


def shares(release: Release, files: Sequence[Path]) -> list[Kept]:
    """What people say of each strategy, in these files or in the release's own; raises `UserError` where there is none.
    """
    known = strategies_of(release)
    with near(release.folder) as here:
        own = [here / LABELS] if LABELS in release.manifest["files"] else []
        labels = read_labels(files or own, known)
    if not labels:
        raise UserError(
            f"Nobody has labelled questions of {release.name} yet: write some by --export FILE, and give the file by "
            "--label FILE, and then by --labels FILE.")
    return list(kept(labels, known).values())


def strategies_of(release: Release) -> dict[str, str]:
    """The strategy of each question that is put otherwise, by its id."""
    return in_other_words(read_rewordings(release))


def as_json(found: Sequence[Kept]) -> list[dict[str, Any]]:
    """The shares for programs."""
    return [{**asdict(one), "share": one.same / one.labelled} for one in found]


def as_text(found: Sequence[Kept]) -> str:
    """The shares for people."""
    lines = [f"{'strategy':<22} {'labelled':>8} {'same':>5}  means the same (95%, Wilson)"]
    lines += [f"{one.strategy:<22} {one.labelled:>8} {one.same:>5}  {one.share}" for one in found]
    return "\n".join(lines)
