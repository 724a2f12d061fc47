"""The part of a lock that some modules need: what these are of, and what that needs, as it is installed."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path

_ENTRY = re.compile(r"^(?P<name>[A-Za-z0-9][\w.-]*)==", re.MULTILINE)
_STANDARD = ("tzdata",)
"""What the standard library itself reads where the machine has no such data: the time zones of `zoneinfo`."""
_NONE = "# Nothing is needed but the standard library.\n"


def needed(lock: str, modules: Iterable[str], programs: Iterable[str], site_packages: Path) -> str:
    """The lock's entries for the modules and all that these need; its text where that is all of it.

    What a program imports counts as well, and what it names in a text, as a parser that a library is to use.
    `site_packages` is where the lock is installed.
    """
    from packaging.utils import canonicalize_name

    found = distributions(path=[str(site_packages)])
    installed: dict[str, Distribution] = {canonicalize_name(one.metadata["Name"]): one for one in found}
    tops = {module.split(".")[0] for module in (*modules, *(name for program in programs for name in _named(program)))}
    wanted = _closed({*_STANDARD, *(name for name, one in installed.items() if tops & _modules(one))}, installed)
    entries = list(_entries(lock))
    kept = [text for name, text in entries if canonicalize_name(name) in wanted]
    return lock if len(kept) == len(entries) else "".join(kept) or _NONE


def _named(program: str) -> Iterator[str]:
    """What a program imports, and its texts that could be names of modules."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            yield node.value


def _closed(names: Iterable[str], installed: Mapping[str, Distribution]) -> set[str]:
    """The distributions, with those that they need, and these in their turn."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    found, waiting = set[str](), list(names)
    while waiting:
        name = waiting.pop()
        if name in found or name not in installed:
            continue
        found.add(name)
        needs = map(Requirement, installed[name].requires or ())
        waiting += [canonicalize_name(one.name) for one in needs
                    if one.marker is None or one.marker.evaluate({"extra": ""})]
    return found


def _modules(distribution: Distribution) -> set[str]:
    """What a distribution is imported by."""
    tops = {file.parts[0] for file in distribution.files or ()}
    return {top.split(".")[0] for top in tops if not top.endswith((".dist-info", ".libs")) and top != ".."}


def _entries(lock: str) -> Iterator[tuple[str, str]]:
    """The names of a lock with their texts, hashes included."""
    starts = list(_ENTRY.finditer(lock))
    for one, after in zip(starts, [*[start.start() for start in starts[1:]], len(lock)], strict=True):
        yield one["name"], lock[one.start() : after]
