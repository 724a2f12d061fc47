"""Rules on the form of an instruction, whatever it is about: nothing left open, no names that only the body gives."""

from __future__ import annotations

import re

from pipeline.instruct.source import local_names
from pipeline.languages.python.facts import read_facts

_EXAMPLES = re.compile(r"(?ms)^ *(?:More examples|Examples?):$.*")
_NAME = re.compile(r"`([A-Za-z_]\w*)`|(?<![\w.'\"`])([a-z]+(?:_[a-z0-9]+)+)(?![\w(.'\"`])")
_PAIRS = ("()", "[]")


def locals_named(program: str, entry_point: str, instruction: str) -> tuple[str, ...]:
    """The names that an instruction calls things by, and that nothing but the body of the function gives."""
    facts = read_facts(program, entry_point)
    inside = local_names(facts)
    signature = instruction.partition('"""')[0]
    told = dict.fromkeys(found.group(1) or found.group(2) for found in _NAME.finditer(_prose(instruction)))
    return tuple(name for name in told if name in inside and not re.search(rf"\b{name}\b", signature))


def left_open(instruction: str) -> str:
    """What is opened in the words and never closed, "" where nothing is; a sign in quotes opens nothing."""
    said = re.sub(r"([\"'`])[^\w\s]{1,3}\1", "", _prose(instruction))
    if said.count("`") % 2:
        return "`"
    return next((pair[0] for pair in _PAIRS if said.count(pair[0]) != said.count(pair[1])), "")


def _prose(instruction: str) -> str:
    """The docstring without its examples."""
    return _EXAMPLES.sub("", instruction.partition('"""')[2])
