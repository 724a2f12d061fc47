"""The paper's ten domains, told from a repository's topics, name and description by rules that a person can change."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline.sources.lists import DOMAINS

_TOPIC, _WORD = 2, 1
"""What a topic counts, which somebody chose as such, and what a word of the name or the description does."""

_KEYS = ("name", "topics", "words")


@dataclass(frozen=True)
class Rule:
    """What speaks for a domain: topics of GitHub, and words (or phrases) of the name and the description."""

    domain: str
    topics: frozenset[str]
    words: tuple[str, ...]

    def evidence(self, name: str, description: str, topics: Iterable[str]) -> tuple[int, tuple[str, ...]]:
        """How much speaks for the domain, and what."""
        plain = f" {_plain(name)} | {_plain(description)} "
        own = sorted(self.topics & set(topics))
        words = [word for word in self.words if f" {_plain(word)} " in plain]
        return _TOPIC * len(own) + _WORD * len(words), (*own, *words)


def domain_of(rules: Sequence[Rule], name: str, description: str, topics: Iterable[str]) -> str:
    """The domain that most speaks for, the first of the file where several are even; "" when nothing does."""
    given = tuple(topics)
    best = max(rules, key=lambda rule: rule.evidence(name, description, given)[0])
    return best.domain if best.evidence(name, description, given)[0] else ""


def read_rules(path: Path) -> tuple[Rule, ...]:
    """The rules of a file, in its order; what is wrong in it is told in one sentence."""
    if not path.is_file():
        raise UserError(f"There is no rule file {path}: correct domains in the configuration's [github].")
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no valid TOML ({error}): correct it there.") from error
    entries = raw.get("domain")
    if set(raw) != {"domain"} or not isinstance(entries, list) or not entries:
        raise UserError(f"{path.name} takes [[domain]] tables with name, topics and words, and nothing else.")
    rules = tuple(_rule(entry, path) for entry in entries)
    names = [rule.domain for rule in rules]
    if double := next((name for name in names if names.count(name) > 1), ""):
        raise UserError(f"{path.name} has two tables for {double!r}: put them into one.")
    return rules


def _rule(entry: Any, path: Path) -> Rule:
    if not isinstance(entry, dict) or entry.get("name") not in DOMAINS:
        name = entry.get("name") if isinstance(entry, dict) else entry
        raise UserError(f"{path.name} has an unknown domain {name!r}: the domains are {', '.join(DOMAINS)}.")
    for key, value in entry.items():
        if key not in _KEYS:
            raise UserError(f"{path.name} has an unknown key {key!r} in {entry['name']}: it takes {', '.join(_KEYS)}.")
        if key != "name" and not (isinstance(value, list) and all(isinstance(v, str) and _plain(v) for v in value)):
            raise UserError(f"{path.name}: {key} of {entry['name']} must be a list of texts, but it is {value!r}.")
    topics = frozenset(topic.lower() for topic in entry.get("topics", ()))
    return Rule(entry["name"], topics, tuple(entry.get("words", ())))


def _plain(text: str) -> str:
    """The words of a text in lower case, one space between them."""
    return " ".join(re.findall(r"[\w+#]+", text.lower().replace("_", " ")))
