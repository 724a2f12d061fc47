"""A rule on the words of an instruction, whatever it is about: none of the names that only the body gives."""

from __future__ import annotations

import ast
import re

from pipeline.instruct.source import local_names
from pipeline.languages.python.facts import read_facts

_EXAMPLES = re.compile(r"(?ms)^ *(?:More examples|Examples?):$.*")
_NAME = re.compile(r"`([A-Za-z_]\w*)`|(?<![\w.'\"`])([a-z]+(?:_[a-z0-9]+)+)(?![\w(.'\"`])")


def locals_named(program: str, entry_point: str, instruction: str) -> tuple[str, ...]:
    """The names that an instruction calls things by, and that nothing but the body of the function gives.

    What stands in the body as a text, too, is a key or a word of the data.
    """
    try:
        facts = read_facts(program, entry_point)
    except (LookupError, SyntaxError, ValueError):
        # A program that lacks its function is told of by others.
        return ()
    texts = {node.value for node in ast.walk(facts.tree) if isinstance(node, ast.Constant)}
    inside = {name for name in local_names(facts) if name not in texts}
    signature = instruction.partition('"""')[0]
    told = dict.fromkeys(found.group(1) or found.group(2) for found in _NAME.finditer(_prose(instruction)))
    return tuple(name for name in told if name in inside and not re.search(rf"\b{name}\b", signature))


def _prose(instruction: str) -> str:
    """The docstring without its examples."""
    return _EXAMPLES.sub("", instruction.partition('"""')[2])
