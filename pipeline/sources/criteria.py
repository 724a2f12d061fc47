"""Which repositories are real projects, active, tested and free to use (paper, appendix H)."""

from __future__ import annotations

import base64
import re
from calendar import monthrange
from collections.abc import Iterable
from dataclasses import replace
from datetime import date
from fnmatch import fnmatch
from typing import Any
from urllib.parse import quote

from pipeline.config import GithubConfig
from pipeline.records import Reason
from pipeline.sources import Unusable, licence
from pipeline.sources.github import Answer, GitHub
from pipeline.sources.repositories import Repository, repository

_MIRROR = re.compile(r"\bmirror of\b|\b(read[- ]?only|official|unofficial|github) mirror\b", re.I)
_HARMLESS = re.compile(r"\bof courses?\b|\bcourses? of\b", re.I)
_OPENING = 600
"""How much of a README's prose says what the project is, in characters; what follows may well point to a tutorial."""


def active_since(until: str, months: int) -> str:
    """The day so many months before another, both in ISO."""
    end = date.fromisoformat(until)
    index = end.year * 12 + end.month - 1 - months
    year, month = index // 12, index % 12 + 1
    return date(year, month, min(end.day, monthrange(year, month)[1])).isoformat()


def check_facts(found: Repository, config: GithubConfig) -> None:
    """Raise `Unusable` for a repository that its own description rules out: no question is needed for that."""
    if found.name.lower() in map(str.lower, config.excluded):
        raise Unusable(Reason.EXCLUDED, "it stands under excluded in [github]")
    if found.fork and not config.forks:
        raise Unusable(Reason.FORK, "GitHub says that it is a fork")
    if found.archived and not config.archived:
        raise Unusable(Reason.ARCHIVED, "GitHub says that it is archived")
    if found.template and not config.templates:
        raise Unusable(Reason.TEMPLATE, "GitHub says that it is a template")
    if not config.mirrors and (copied := found.mirror or _match(_MIRROR, found.description)):
        raise Unusable(Reason.MIRROR, f"it says {copied!r}")
    if found.licence and not licence.is_permissive(found.licence):
        raise Unusable(Reason.LICENCE, f"GitHub says that it is {found.licence}")
    for what, text in (("name", found.name.partition("/")[2]), ("topics", " | ".join(found.topics))):
        _check_words(what, text, config.unwanted_names)
    _check_words("description", found.description, config.unwanted_phrases)


def look_closer(github: GitHub, found: Repository, config: GithubConfig, until: str) -> Repository:
    """The repository as it is now, with the commit that was chosen; raises `Unusable` with the evidence against it."""
    now = _now(github, found)
    check_facts(now, config)
    now, tree = _newest(github, now, active_since(until, config.active_months), until)
    if config.tests:
        _check_tests(github, now, tree, config.tests)
    _check_words("README", opening(_content(github, f"{_path(now)}/readme", now.commit)), config.unwanted_phrases)
    if now.licence:
        return now
    said = licence.of_text(_content(github, f"{_path(now)}/license", now.commit))
    if not licence.is_permissive(said):
        raise Unusable(Reason.LICENCE, f"its licence is {said}" if said else "no licence file says which")
    return replace(now, licence=said)


def opening(readme: str) -> str:
    """The first prose of a README: no code, no markup, no addresses."""
    text = re.sub(r"```.*?(```|\Z)|<!--.*?-->|<[^>]*>", " ", readme, flags=re.S)
    text = re.sub(r"!?\[!\[.*?\]\(.*?\)\]\(.*?\)|!\[.*?\]\(.*?\)|\[([^\]]*)\]\([^)]*\)|https?://\S+", r"\1 ", text)
    return " ".join(re.sub(r"[#*_`=~>|-]{2,}|[#*`>|]", " ", text).split())[:_OPENING]


def _path(found: Repository) -> str:
    return f"/repos/{quote(found.name)}"


def _now(github: GitHub, found: Repository) -> Repository:
    """The repository under its present name."""
    now = repository(_wanted(github.get(_path(found))).data)
    if now.number != found.number:
        raise Unusable(Reason.PROJECT_GONE, f"{found.name} is another repository by now")
    return replace(now, domain=found.domain)


def _wanted(answer: Answer) -> Answer:
    if answer.status == 409:
        raise Unusable(Reason.INACTIVE, answer.refusal)
    if answer.status != 200:
        raise Unusable(Reason.PROJECT_GONE, answer.refusal)
    return answer


def _newest(github: GitHub, found: Repository, since: str, until: str) -> tuple[Repository, str]:
    """The repository with the newest commit of its default branch before the window's end, and that commit's tree."""
    about: dict[str, str | int] = {"sha": found.branch, "until": f"{until}T00:00:00Z", "per_page": 1}
    commits = _wanted(github.get(f"{_path(found)}/commits", about, keep=_commits)).data["commits"]
    if not commits:
        raise Unusable(Reason.INACTIVE, f"it has no commit before {until}")
    commit, tree, day = commits[0]
    if day < since:
        raise Unusable(Reason.INACTIVE, f"the newest commit before {until} is of {day[:10]}")
    return replace(found, commit=commit, committed=day), tree


def _commits(data: Any) -> Any:
    """What matters of commits: hash, tree and committer's date, "" where nobody is named."""
    about = [(c["sha"], c["commit"]) for c in data]
    return {"commits": [[sha, c["tree"]["sha"], (c["committer"] or {}).get("date") or ""] for sha, c in about]}


def _check_tests(github: GitHub, found: Repository, tree: str, patterns: Iterable[str]) -> None:
    path = f"{_path(found)}/git/trees/{tree}"
    listed = _wanted(github.get(path, {"recursive": 1}, keep=_paths)).data
    names, cut = listed["paths"], listed["truncated"]
    if cut:  # the folders at the root are told at least
        names = names + _wanted(github.get(path, keep=_paths)).data["paths"]
    if not any(fnmatch(name, pattern) for name in names for pattern in patterns):
        told = ", of which GitHub tells a part" if cut else ""
        raise Unusable(Reason.NO_TESTS, f"none of its {len(names)} files and folders{told} is one of tests")


def _paths(data: Any) -> Any:
    """What matters of a tree: its paths, folders with a slash at their end."""
    paths = [e["path"] + ("/" if e["type"] == "tree" else "") for e in data["tree"]]
    return {"paths": paths, "truncated": bool(data.get("truncated"))}


def _content(github: GitHub, path: str, commit: str) -> str:
    """The text of a file that GitHub finds itself; "" when there is none."""
    answer = github.get(path, {"ref": commit})
    if answer.status == 404:
        return ""
    return base64.b64decode(_wanted(answer).data.get("content") or "").decode("utf-8", "replace")


def _check_words(what: str, text: str, words: Iterable[str]) -> None:
    plain = f" {_plain(_HARMLESS.sub(' ', text))} "
    for word in words:
        if f" {_plain(word)} " in plain:
            raise Unusable(Reason.NO_PROJECT, f"the {what} has the word {word!r}")


def _plain(text: str) -> str:
    """The words of a text in lower case, one space between them; a stroke keeps topics apart."""
    return " ".join(re.findall(r"[\w+#]+|\|", text.lower().replace("_", " ")))


def _match(pattern: re.Pattern[str], text: str) -> str:
    return found.group() if (found := pattern.search(text)) else ""
