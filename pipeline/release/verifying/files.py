"""The files beside the rows: card, figures, notices and licences, made again from the release and compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version

from harness.errors import UserError
from harness.releases.veil import veil_key
from pipeline.records import LockedSource
from pipeline.release.attribution import Attribution, attributions, notice
from pipeline.release.card import CARD, card_files
from pipeline.release.facts import facts_of
from pipeline.release.verifying import Evidence, Finding
from pipeline.sources import licence

_REPOSITORY = re.compile(r'load_dataset\("([^"]+)"')
_CHANGES = re.compile(r"(?ms)^## Changes since the last release\n.*?(?=^## Citation$)")
_LINE = "=" * 100 + "\n"
_TEXTS = "LICENSES.txt"


def files(evidence: Evidence) -> Iterator[Finding]:
    """What the files beside the rows should not say.

    The card's section on changes is left out, since nothing in the release tells them; of another version's card, whose
    words may be others, nothing is said.
    """
    release, folder = evidence.release, evidence.folder
    if evidence.config is None:
        return
    used = attributions(release.tasks, evidence.locked.values())
    if (folder / "NOTICE.txt").read_text("utf-8") != notice(evidence.config.name, [entry for _, entry in used]):
        yield Finding("notice", "NOTICE.txt", "it is not what the rows and the lock give")
    yield from (Finding("licences", _TEXTS, what) for what in _licences((folder / _TEXTS).read_text("utf-8"), used))
    if release.manifest.get("tools", {}).get("code2bench") == version("code2bench"):
        yield from _card(evidence)


def _card(evidence: Evidence) -> Iterator[Finding]:
    release, folder = evidence.release, evidence.folder
    said = (folder / CARD).read_text("utf-8")
    named = _REPOSITORY.search(said)
    key = veil_key(release.manifest)
    try:
        facts = replace(facts_of(release, folder), repository=named[1] if named else "", key=key)
    except (UserError, KeyError, TypeError) as error:
        yield Finding("card", CARD, f"the release does not give what it tells: {error}")
        return
    for name, data in card_files(folder, facts).items():
        there = (folder / name).read_bytes() if (folder / name).is_file() else b""
        if _without_changes(name, there) != _without_changes(name, data):
            yield Finding("card", name, "it is not what the release gives")


def _without_changes(name: str, data: bytes) -> bytes:
    return _CHANGES.sub("", data.decode("utf-8", "replace")).encode() if name == CARD else data


def _licences(text: str, used: list[tuple[LockedSource, Attribution]]) -> Iterator[str]:
    """Which texts are of no project of the release, or of another licence than the lock says."""
    parts = text.split(_LINE)
    titles = {entry.title: source for source, entry in used}
    if parts[0].strip():
        yield "it begins without naming a project"
    found: dict[str, dict[str, str]] = {}
    for head, body in zip(parts[1::2], parts[2::2], strict=False):
        title, _, name = head.strip().partition("\n")
        if title not in titles:
            yield f"it has texts of {title!r}, which is no project of the release"
        found.setdefault(title, {})[name] = body
    for title, source in titles.items():
        texts = found.get(title, {})
        said = licence.of_files(texts, source.licence)[0]
        if said and not licence.is_permissive(said):
            yield f"the texts of {source.source.name} say {said}"
        elif source.licence_source in texts and licence.of_files({source.licence_source: texts[source.licence_source]}
                                                                 )[0] != source.licence:
            yield f"{source.licence_source} of {source.source.name} does not say {source.licence}"
