"""When two answers are the same; both stay encoded, so nothing that an answer contains is ever built or run here.

The rules, and why:
- Types must agree: True is not 1, a list is not a tuple, a set is not a frozenset. But an int and a float of the same
  value agree, because a signature that says `float` permits both, a NumPy scalar and an array without axes agree with
  Python's number of their kind, a path with a pure path; flags of regular expressions are ints.
- Tolerance is for floats: where an int is expected, the value must be equal. The expected value decides how much there
  is, the task's or the precision of a narrow NumPy type; an array of narrower numbers than expected differs.
- NaN agrees with NaN.
- Sets and dicts have no order; a dict, a Counter, a defaultdict and an OrderedDict with the same content agree, since
  all of them are dicts to a caller, but two OrderedDicts have an order.
- Decimals, fractions and moments agree by value: 1.0 and 1.00; 12:00+00:00 with UTC written in two ways.
- Iterators agree with iterators by what they give, whichever kind they are.
- Arrays agree by kind of dtype, shape and values; Series, frames and indexes by their labels, names and values.
- Sparse matrices agree by type, shape, kind of dtype and values, in whichever order these are stored.
- Exceptions agree by the name of their type, and by their text where the task says so. One of a type below the
  expected one is as good, since callers catch both, unless it says that a program has failed or is not there.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from harness.records import Answer, Comparison, Json
from harness.telling import printable
from harness.values import canonical
from harness.values.comparer import Comparer, Different, show
from harness.values.special_rules import SPECIAL

__all__ = ["agree", "show"]

_OF_FAILURE = ("RecursionError", "NotImplementedError")
_LONGEST = 500
"""Characters of a difference."""


def agree(expected: Answer, actual: Answer, rule: Comparison, bases: Collection[str] = ()) -> str:
    """"" when the answers agree by the rule, else the first difference in words, which are few and printable.

    `bases` are the names of what the actual exception is besides.
    """
    if expected.kind == "raised" and expected.exception in bases and actual.exception not in _OF_FAILURE:
        actual = replace(actual, exception=expected.exception)
    return printable(_agree(expected, actual, rule)[:_LONGEST])


def _agree(expected: Answer, actual: Answer, rule: Comparison) -> str:
    if expected.kind != actual.kind:
        return f"expected {_say(expected)}, got {_say(actual)}"
    if _same(expected, actual):
        return ""
    if expected.kind == "raised":
        difference = _exceptions(expected, actual, rule)
    else:
        difference = _difference(expected.value, actual.value, rule, rule.unordered)
    if difference or not rule.mutation:
        return difference
    return _arguments(expected, actual, rule)


def _same(expected: Answer, actual: Answer) -> bool:
    """Whether two answers that were returned are encoded alike, which most are, and then agree by every rule."""
    if expected.kind != "returned" or (expected.mutated is None) != (actual.mutated is None):
        return False
    given = [(expected.value, actual.value), (expected.mutated, actual.mutated)]
    try:
        return all(canonical(one) == canonical(other) for one, other in given)
    except (ValueError, RecursionError):
        # It was forged: no value is encoded like that.
        return False


def _say(answer: Answer) -> str:
    if answer.kind == "raised":
        return f"{answer.exception} raised"
    return show(answer.value)


def _exceptions(expected: Answer, actual: Answer, rule: Comparison) -> str:
    if expected.exception != actual.exception:
        return f"expected {expected.exception} raised, got {actual.exception} raised"
    if rule.messages and expected.message != actual.message:
        return f"expected {expected.exception} with the text {expected.message!r:.80}, got {actual.message!r:.80}"
    return ""


def _arguments(expected: Answer, actual: Answer, rule: Comparison) -> str:
    if expected.mutated is None and actual.mutated is None:
        return ""
    if expected.mutated is None:
        return "changed its arguments, which must stay as they are"
    if actual.mutated is None:
        return "did not change its arguments"
    difference = _difference(expected.mutated, actual.mutated, rule, False)
    return difference and f"arguments after the call: {difference}"


def _difference(expected: Json, actual: Json, rule: Comparison, unordered: bool) -> str:
    try:
        Comparer(rule, SPECIAL).compare(expected, actual, "", unordered)
    except Different as difference:
        return str(difference)
    except Exception:
        # Only a forged line has another shape than `encode` gives it.
        return f"expected {show(expected)}, got something that is no encoded value"
    return ""
