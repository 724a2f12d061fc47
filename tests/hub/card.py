"""The check of a card's metadata, as far as a dataset's card needs it."""

from __future__ import annotations

import re
from typing import Any

import yaml

HEADER = re.compile(r"\A---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
LICENCES = set(
    "apache-2.0 mit openrail bigscience-openrail-m creativeml-openrail-m bigscience-bloom-rail-1.0 bigcode-openrail-m "
    "afl-3.0 artistic-2.0 bsl-1.0 bsd bsd-2-clause bsd-3-clause bsd-3-clause-clear c-uda cc cc0-1.0 cc-by-2.0 cc-by-2.5 "
    "cc-by-3.0 cc-by-4.0 cc-by-sa-3.0 cc-by-sa-4.0 cc-by-nc-2.0 cc-by-nc-3.0 cc-by-nc-4.0 cc-by-nd-4.0 cc-by-nc-nd-3.0 "
    "cc-by-nc-nd-4.0 cc-by-nc-sa-2.0 cc-by-nc-sa-3.0 cc-by-nc-sa-4.0 cdla-sharing-1.0 cdla-permissive-1.0 "
    "cdla-permissive-2.0 wtfpl ecl-2.0 epl-1.0 epl-2.0 etalab-2.0 eupl-1.1 eupl-1.2 agpl-3.0 gfdl gpl gpl-2.0 gpl-3.0 "
    "lgpl lgpl-2.1 lgpl-3.0 isc lppl-1.3c ms-pl mpl-2.0 odc-by odbl openrail++ osl-3.0 postgresql ofl-1.1 ncsa unlicense "
    "zlib pddl lgpl-lr unknown other".split()
)
SIZES = {"n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B", "1B<n<10B", "n>1T"}


def metadata(text: str) -> dict[str, Any]:
    """The metadata of a card, without judging it."""
    try:
        return _parsed(text)
    except yaml.YAMLError:
        return {}


def complaints(text: str) -> tuple[list[str], list[str]]:
    """What the Hub refuses in a card's metadata, and what it warns of."""
    try:
        about = _parsed(text)
    except yaml.YAMLError as error:
        return [f"Invalid YAML: {' '.join(str(error).split())}"], []
    if not about:
        return [], ["empty or missing yaml metadata in repo card"]
    return [*_licences(about), *_languages(about), *_sizes(about), *_configs(about)], []


def _parsed(text: str) -> dict[str, Any]:
    match = HEADER.match(text.lstrip("\ufeff"))
    read = yaml.safe_load(match[1]) if match else {}
    if read is not None and not isinstance(read, dict):
        raise yaml.YAMLError("the metadata must be an object")
    return read or {}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _licences(about: dict[str, Any]) -> list[str]:
    wrong = [name for name in _listed(about.get("license")) if name not in LICENCES]
    return [f'"license" must be one of [{", ".join(sorted(LICENCES))}]'] if wrong else []


def _languages(about: dict[str, Any]) -> list[str]:
    wrong = [
        name for name in _listed(about.get("language"))
        if not isinstance(name, str) or not re.fullmatch(r"[a-z]{2,3}(-\w+)*|code|multilingual", name)
    ]  # fmt: skip
    return [f'"language" with value "{name}" is not valid. It must be an ISO 639-1, 639-2 or 639-3 code' for name in wrong]


def _sizes(about: dict[str, Any]) -> list[str]:
    wrong = [name for name in _listed(about.get("size_categories")) if name not in SIZES]
    return [f'"size_categories" must be one of [{", ".join(sorted(SIZES))}]'] if wrong else []


def _configs(about: dict[str, Any]) -> list[str]:
    configs = about.get("configs", [])
    if not isinstance(configs, list) or not all(isinstance(one, dict) for one in configs):
        return ['"configs" must be an array']
    names = [one.get("config_name") for one in configs]
    wrong = [f'"configs[{place}].config_name" must be a string' for place, name in enumerate(names) if not isinstance(name, str)]
    return wrong or (['"configs" contains a duplicate value'] if len(set(names)) < len(names) else [])
