"""Under which circumstances the branches of a statement are taken, as far as their text shows it."""

from __future__ import annotations

import operator
import re

from tree_sitter import Node

from pipeline.languages.python.syntax import kinds
from pipeline.languages.scoping import Condition

RUNTIME = (3, 11)
"""The version of Python that decides which branches of `if sys.version_info ...` are taken."""

_VERSION = re.compile(
    r"\(?\s*sys\.version_info(\[0\]|\.major)?(?:\[:\d\])?\s*(>=|<=|==|!=|>|<)\s*\(?\s*(\d+)(?:\s*,\s*(\d+))?[\s,\d]*\)?\s*\)?"
)
_COMPARE = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, "<": operator.lt,
}
_TYPE_CHECKING = re.compile(r"\(?\s*(?:\w+\.)?TYPE_CHECKING\s*\)?")
_NOT_TYPE_CHECKING = re.compile(r"\(?\s*not\s+(?:\w+\.)?TYPE_CHECKING\s*\)?")
_IMPORT_ERRORS = re.compile(r"except\b\*?[\s(]*(?::|.*\b(?:ImportError|ModuleNotFoundError|Exception|BaseException)\b)")
_BLOCK = kinds("block")

_OFTEN = (Condition.BRANCH, Condition.BRANCH)


def branches(test: str) -> tuple[Condition, Condition]:
    """The conditions of what follows an `if`, and of what follows its `elif` or `else`."""
    if _TYPE_CHECKING.fullmatch(test):
        return Condition.TYPING, Condition.ALWAYS
    if _NOT_TYPE_CHECKING.fullmatch(test):
        return Condition.ALWAYS, Condition.TYPING
    version = _VERSION.fullmatch(test)
    if version is None:
        return _OFTEN
    major_only, sign, *numbers = version.groups()
    wanted = tuple(int(n) for n in numbers if n is not None)
    have = RUNTIME[:1] if major_only else RUNTIME
    if _COMPARE[sign](have, wanted):
        return Condition.ALWAYS, Condition.NEVER
    return Condition.NEVER, Condition.ALWAYS


def takes_import_errors(handler: Node) -> bool:
    """Whether an `except` clause takes a failing import."""
    block = next((child for child in handler.named_children if child.kind_id in _BLOCK), None)
    text = handler.text or b""
    head = text[:block.start_byte - handler.start_byte] if block is not None else text
    return _IMPORT_ERRORS.match(head.decode("utf-8", "replace")) is not None
