"""The list of libraries: what the real one says holds in the installed modules, and what a wrong one is told."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.classify.libraries import Verdict, load
from tests.pipeline.classify.expectations import LIBRARIES, ROOT

RUNTIME = (ROOT / "data" / "runtimes" / "python-3.11.in").read_text("utf-8")


def listed(tmp_path: Path, text: str) -> Path:
    path = tmp_path / f"{abs(hash(text))}.toml"
    path.write_text(text, "utf-8")
    return path


def test_every_third_party_module_is_in_the_runtime():
    in_runtime = {line.strip() for line in RUNTIME.splitlines() if line.strip() and not line.startswith("#")}
    wanted = {library.distribution for library in LIBRARIES.modules.values() if library.distribution}
    assert wanted <= in_runtime
    assert len(wanted) >= 30


def test_every_module_in_the_runtime_is_listed():
    in_runtime = {line.strip() for line in RUNTIME.splitlines() if line.strip() and not line.startswith("#")}
    listed_ones = {library.distribution for library in LIBRARIES.modules.values()}
    assert in_runtime - listed_ones == {"typing-extensions"}  # stands under `typing`


def _exists(dotted: str) -> bool:
    """Whether a name can be reached; names in modules that are not installed here count as there."""
    parts = dotted.split(".")
    try:
        found = importlib.import_module(parts[0])
    except ModuleNotFoundError:
        return True
    for count, part in enumerate(parts[1:], 2):
        if not hasattr(found, part):
            try:
                importlib.import_module(".".join(parts[:count]))
            except ImportError:
                return False
        found = getattr(found, part)
    return True


def test_every_name_on_the_list_exists():
    names = {
        f"{library.module}.{name}" for library in LIBRARIES.modules.values()
        for name in (*(library.only or ()), *library.seeded, *(name for name, _ in library.deny))
    } | set(LIBRARIES.modules)
    missing = sorted(name for name in names if not _exists(name))
    assert not missing


def test_each_refusal_is_a_sentence():
    whys = [*LIBRARIES.refused.values(), *(w for lib in LIBRARIES.modules.values() for _, w in lib.deny)]
    assert all(re.fullmatch(r"[A-Z].*\.", why) for why in whys)


@pytest.mark.parametrize(("name", "arguments", "verdict", "why"), [
    ("os.path.join", 2, Verdict.ALLOWED, ""),
    ("os.path.exists", 1, Verdict.REFUSED, "asks the disk"),
    ("os.environ", None, Verdict.REFUSED, "changes the machine"),
    ("socket.socket", 0, Verdict.REFUSED, "network"),
    ("http.client.HTTPConnection", 1, Verdict.REFUSED, "not among the parts"),
    ("urllib.request.urlopen", 1, Verdict.REFUSED, "network"),
    ("urllib.parse.quote", 1, Verdict.ALLOWED, ""),
    ("random.random", 0, Verdict.REFUSED, "Without a seed"),
    ("random.Random", 1, Verdict.ALLOWED, ""),
    ("random.Random", 0, Verdict.REFUSED, "seed"),
    ("numpy.random.default_rng", 1, Verdict.ALLOWED, ""),
    ("numpy.random.default_rng", None, Verdict.REFUSED, "seed"),
    ("numpy", None, Verdict.UNSURE, "As a value"),
    ("re", None, Verdict.ALLOWED, ""),
    ("unheard_of.f", 1, Verdict.REFUSED, "not on the list"),
    ("datetime.datetime.nowhere", 0, Verdict.ALLOWED, ""),
])
def test_what_the_list_says(name, arguments, verdict, why):
    ruling = LIBRARIES.rule(name, arguments)
    assert ruling.verdict is verdict
    assert why in ruling.why


@pytest.mark.parametrize(("text", "message"), [
    ("whole = [", "is no TOML"),
    ("hole = []", "unknown key 'hole': expected one of"),
    ("whole = 're'", "expected a list for whole, but got 're'"),
    ("whole = [1]", "expected a str for an entry of whole, but got 1"),
    ("whole = ['a b']", "'a b' in whole is no dotted name"),
    ("[standard.re]\nallow = []", "standard.re has an unknown key 'allow'"),
    ("[standard.re]\nonly = 1", "expected a list for standard.re.only, but got 1"),
    ("[standard]\nre = 1", "expected a dict for standard.re, but got 1"),
    ("[third-party.re]\nonly = []", "does not say by which `distribution`"),
    ("[standard.re]\ndeny = [{names = ['a']}]", "each entry of standard.re.deny has `names` and `why`"),
    ("[standard.re]\ndeny = ['a']", "expected a dict for an entry of standard.re.deny"),
    ("[refused]\nos = 1", "expected a str for refused.os, but got 1"),
])
def test_a_wrong_list_is_told_what_is_wrong(tmp_path, text, message):
    with pytest.raises(UserError) as raised:
        load(listed(tmp_path, text))
    assert message in str(raised.value)


def test_a_missing_list_is_told(tmp_path):
    with pytest.raises(UserError, match="There is no list of libraries"):
        load(tmp_path / "none.toml")
