"""What GitHub says of a repository, as a record, and the search for all that may count."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from math import isqrt
from typing import Any

from harness.errors import UserError
from pipeline import progress
from pipeline.config import GithubConfig
from pipeline.progress import Progress
from pipeline.sources.github import Answer, GitHub

MOST = 1000
"""How many results of one query GitHub shows."""

_PAGE = 100
_NAME, _ADDRESS = re.compile(r"[\w.-]+/[\w.-]+"), re.compile(r"https?://[^@\s]+")
_MANY = 10**7  # stars that no repository has
_FIRST_DAY = date(2007, 10, 1)  # no repository of GitHub is older


@dataclass(frozen=True)
class Repository:
    """A repository by its number, which a renaming leaves alone; `mirror` is the address that it copies, or "".

    `licence` is SPDX, "" where GitHub can't say which. The last three are set when it is chosen: `commit` is the newest
    one before the window's end, `committed` its date.
    """

    number: int
    name: str
    location: str
    description: str
    topics: tuple[str, ...]
    stars: int
    licence: str
    branch: str
    fork: bool
    archived: bool
    template: bool
    mirror: str
    domain: str = ""
    commit: str = ""
    committed: str = ""

    @property
    def id(self) -> str:
        """The key by which reports name it."""
        return f"github:{self.number}"


def repository(data: Any) -> Repository:
    """The record of a repository as GitHub describes it; raises `UserError` for a description that is none."""
    try:
        if not _NAME.fullmatch(data["full_name"]) or not _ADDRESS.fullmatch(data["clone_url"]):
            raise ValueError("a strange name or address")
        licence = (data.get("license") or {}).get("spdx_id") or ""
        return Repository(
            int(data["id"]), str(data["full_name"]), str(data["clone_url"]), str(data.get("description") or ""),
            tuple(sorted(map(str, data.get("topics") or ()))), int(data.get("stargazers_count") or 0),
            "" if licence == "NOASSERTION" else str(licence), str(data.get("default_branch") or ""),
            bool(data.get("fork")), bool(data.get("archived")), bool(data.get("is_template")),
            str(data.get("mirror_url") or ""),
        )  # fmt: skip
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise UserError(f"GitHub's answer holds no repository ({error!r}): correct address in [github].") from None


@dataclass(frozen=True)
class Slice:
    """A part of the search: a range of stars (`most` None: no upper end) and of creation days, all ends included."""

    least: int
    most: int | None
    first: date
    last: date

    @property
    def query(self) -> str:
        """The slice in GitHub's query language."""
        stars = f"{self.least}..{self.most}" if self.most is not None else f">={self.least}"
        return f"stars:{stars} created:{self.first}..{self.last}"

    def halves(self) -> tuple[Slice, ...]:
        """Two smaller slices that make it up, by stars if they can; none for one day and one number of stars."""
        if self.most is None:
            middle = max(2 * self.least, 1)
            return (replace(self, most=middle), replace(self, least=middle + 1)) if middle < _MANY else ()
        if self.least < self.most:
            middle = min(isqrt(self.least * self.most), self.most - 1)
            return replace(self, most=middle), replace(self, least=middle + 1)
        if self.first < self.last:
            day = self.first + (self.last - self.first) // 2
            return replace(self, last=day), replace(self, first=day + timedelta(days=1))
        return ()


def search(github: GitHub, config: GithubConfig, since: str, until: str) -> list[Repository]:
    """All repositories of the language with enough stars that were pushed to since a day, by number.

    GitHub shows 1,000 results of a query, so a slice with more of them is halved until it has fewer.
    """
    language = f'"{config.language}"' if " " in config.language else config.language
    about = f"language:{language} pushed:>={since} fork:true"
    found: dict[int, Repository] = {}
    whole = Slice(config.min_stars, None, _FIRST_DAY, date.fromisoformat(until))
    first = _page(github, f"{about} {whole.query}", 1)
    with Progress("search", _total(first)) as bar:
        for answer in _answers(github, about, whole, first):
            for item in answer.data["items"]:
                one = repository(item)
                found[one.number] = one
            bar.advance(len(answer.data["items"]))
    return [found[number] for number in sorted(found)]


def _answers(github: GitHub, about: str, part: Slice, answer: Answer) -> Iterator[Answer]:
    query = f"{about} {part.query}"
    if _total(answer) > MOST and (halves := part.halves()):
        for half in halves:
            yield from _answers(github, about, half, _page(github, f"{about} {half.query}", 1))
        return
    if _total(answer) > MOST:
        progress.say(f"GitHub shows only {MOST:,} of {_total(answer):,} repositories for {part.query}.")
    page = 1
    while answer.data["items"]:
        if answer.data["incomplete_results"]:
            progress.say(f"GitHub did not finish its search for {part.query}, page {page}: some may be missing.")
        yield answer
        if not answer.more or page * _PAGE >= MOST:
            return
        page += 1
        answer = _page(github, query, page)


def _page(github: GitHub, query: str, page: int) -> Answer:
    parameters: dict[str, str | int] = {"q": query, "sort": "stars", "order": "desc", "per_page": _PAGE, "page": page}
    answer = github.get("/search/repositories", parameters, whole=_finished)
    if answer.status != 200:
        raise UserError(f"The search was refused ({answer.refusal}): correct address and language in [github].")
    if not isinstance(answer.data, dict) or not {"items", "incomplete_results"} <= answer.data.keys():
        raise UserError("The search's answer is none of GitHub's: correct address in [github].")
    return answer


def _finished(data: Any) -> bool:
    return not (isinstance(data, dict) and data.get("incomplete_results"))


def _total(answer: Answer) -> int:
    return int(answer.data.get("total_count") or 0)
