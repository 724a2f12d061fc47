"""The part of a lock that modules need, with what that needs in its turn."""

from __future__ import annotations

import re

import pytest

from harness.languages.registry import language
from tests.harness.conftest import LOCK


def named(lock: str) -> list[str]:
    return re.findall(r"^([\w.-]+)==", lock, re.MULTILINE)


@pytest.mark.parametrize("modules, wanted", [
    (["re", "json", "collections.abc", "zoneinfo"], ["tzdata"]),
    (["numpy.typing"], ["numpy", "tzdata"]),
    (["scipy.stats", "math"], ["numpy", "scipy", "tzdata"]),
    (["bs4"], ["beautifulsoup4", "soupsieve", "typing-extensions", "tzdata"]),
    (["dateutil.parser"], ["python-dateutil", "tzdata"]),
    (["yaml"], ["pyyaml", "tzdata"]),
    (["PIL.Image"], ["pillow", "tzdata"]),
    (["nothing_that_is_there"], ["tzdata"]),
])
def test_what_modules_need_is_kept_with_its_hashes(modules: list[str], wanted: list[str]) -> None:
    whole = LOCK.read_text()
    found = language("python").runtimes.needed(LOCK, modules, [])
    assert named(found) == wanted
    assert all(line in whole.splitlines() for line in found.splitlines() if not line.startswith("#"))
    assert found.count("--hash=sha256:") >= len(wanted)


def test_what_needs_all_is_the_lock_itself() -> None:
    whole = LOCK.read_text()
    runtime = language("python").runtimes.find(LOCK)
    modules = {path.name.split(".")[0] for path in runtime.site_packages.iterdir()}  # type: ignore[attr-defined]
    assert language("python").runtimes.needed(LOCK, modules, []) == whole


def test_what_a_program_names_in_a_text_counts() -> None:
    program = "import bs4\n\n\ndef f(text):\n    return str(bs4.BeautifulSoup(text, 'lxml'))\n"
    assert "lxml" in named(language("python").runtimes.needed(LOCK, ["bs4"], [program]))
    imports = "from __future__ import annotations\nfrom typing_extensions import TypeAlias\n"
    assert named(language("python").runtimes.needed(LOCK, [], [imports])) == ["typing-extensions", "tzdata"]
    assert "lxml" not in named(language("python").runtimes.needed(LOCK, ["bs4"], ["x = 'lxml is a library'"]))
