"""The rules that give a repository its domain."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.sources.domains import domain_of, read_rules
from pipeline.sources.lists import DOMAINS

RULES = read_rules(Path(__file__).parents[3] / "data" / "domains.toml")

KNOWN = {
    ("flask", "The Python micro framework for building web applications.", "flask python web-framework wsgi"):
        "Web Development",
    ("scikit-learn", "scikit-learn: machine learning in Python", "data-analysis data-science machine-learning"):
        "Data Science & Machine Learning",
    ("rich-cli", "A command line toolbox for fancy output in the terminal", "terminal"): "System Utilities",
    ("paho.mqtt.python", "paho.mqtt.python", "mqtt"): "Network & Protocol",
    ("cryptography", "A package which exposes cryptographic recipes and primitives", "cryptography python"):
        "Security & Cryptography",
    ("sqlite-utils", "Python CLI utility and library for manipulating SQLite databases", "sqlite sqlite-database cli"):
        "Database & Storage",
    ("mistune", "A fast yet powerful Python Markdown parser", "markdown"): "Text Processing & NLP",
    ("moviepy", "Video editing with Python", "video video-processing"): "Media & Graphics",
    ("astropy", "Astronomy and astrophysics core library", "astronomy astrophysics science"): "Scientific Computing",
    ("black", "The uncompromising Python code formatter", "code-formatter formatter pre-commit-hook"):
        "Development Tools",
    ("hello", "Something else", "python hacktoberfest"): "",
    ("thing", "Catapults webbed feet", ""): "",
}  # fmt: skip


@pytest.mark.parametrize(("about", "domain"), KNOWN.items(), ids=[about[0] for about in KNOWN])
def test_well_known_projects_get_their_domain(about: tuple[str, str, str], domain: str) -> None:
    name, description, topics = about
    assert domain_of(RULES, name, description, topics.split()) == domain


def test_every_domain_has_rules() -> None:
    assert {rule.domain for rule in RULES} == set(DOMAINS)
    assert all(rule.topics and rule.words for rule in RULES)


def written(folder: Path, text: str) -> Path:
    path = folder / "domains.toml"
    path.write_text(text)
    return path


TWO = '''
[[domain]]
name = "Web Development"
topics = ["web"]
[[domain]]
name = "Scientific Computing"
words = ["Wave-Length"]
'''


def test_topics_count_more_than_words_and_the_first_of_equals_wins(tmp_path: Path) -> None:
    rules = read_rules(written(tmp_path, TWO + 'topics = ["physics"]\n'))
    assert domain_of(rules, "wave_length", "", ["web"]) == "Web Development"
    assert domain_of(rules, "x", "", ["web", "physics"]) == "Web Development"
    assert domain_of(rules, "x", "A wave length", ["web", "physics"]) == "Scientific Computing"
    assert domain_of(rules, "wave", "length", []) == ""


@pytest.mark.parametrize(("text", "said"), [
    ("[[domain]", "is no valid TOML"),
    ("", r"takes \[\[domain\]\] tables"),
    ("domain = 3", r"takes \[\[domain\]\] tables"),
    (TWO + "[other]\n", "nothing else"),
    ('[[domain]]\nname = "Cooking"\n', "unknown domain 'Cooking': the domains are Web Development"),
    (TWO + 'wrods = ["a"]\n', "unknown key 'wrods' in Scientific Computing"),
    (TWO + 'topics = "a"\n', "topics of Scientific Computing must be a list of texts, but it is 'a'"),
    (TWO + 'topics = ["-"]\n', "must be a list of texts"),
    (TWO + '[[domain]]\nname = "Web Development"\n', "has two tables for 'Web Development'"),
])
def test_a_wrong_rule_file_is_told_in_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as error:
        read_rules(written(tmp_path, text))
    assert "\n" not in str(error.value).removesuffix(".")


def test_a_missing_rule_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is no rule file"):
        read_rules(tmp_path / "none.toml")
