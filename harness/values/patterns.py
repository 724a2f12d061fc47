"""Patterns: regular expressions, and their flags."""

from __future__ import annotations

from .codec import EXACT_INT, TAG, Codecs, NotDecodable, NotEncodable, decode_part

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

    from .codec import Encoder, Json

MAX_PATTERN = 1_000
"""Characters of a regular expression: some take the compiler milliseconds for each."""
PATTERN_FLAGS = 0b1_0111_1110
"""IGNORECASE, LOCALE, MULTILINE, DOTALL, UNICODE, VERBOSE and ASCII; compiling with DEBUG prints."""


def _pattern(encoder: Encoder, value: re.Pattern[Any], depth: int) -> Json:
    if type(value.pattern) not in (str, bytes) or len(value.pattern) > MAX_PATTERN:
        raise NotEncodable(f"a regular expression that is no text of at most {MAX_PATTERN} characters")
    if value.flags & ~PATTERN_FLAGS:
        raise NotEncodable(f"a regular expression with the flags {value.flags}")
    return {TAG: "Pattern", "flags": value.flags, "v": encoder.encode(value.pattern, depth)}


def _to_pattern(data: Json, depth: int) -> Any:
    import re

    pattern = decode_part(data["v"], depth)
    if type(pattern) not in (str, bytes) or len(pattern) > MAX_PATTERN:
        raise NotDecodable("this is no regular expression")
    flags = data["flags"]
    if type(flags) is not int or flags & ~PATTERN_FLAGS:
        raise NotDecodable("these are no flags of a regular expression")
    made = re.compile(pattern, flags)
    if made.flags != flags:
        raise NotDecodable("the flags do not fit the regular expression")
    return made


def _flags(value: int) -> Json:
    if not -EXACT_INT < value < EXACT_INT:
        raise NotEncodable("flags of regular expressions with huge bits")
    return {TAG: "RegexFlag", "v": int(value)}


def _to_flags(data: Json, depth: int) -> Any:
    import re

    if type(data["v"]) is not int or not -EXACT_INT < data["v"] < EXACT_INT:
        raise NotDecodable("flags need an int")
    return re.RegexFlag(data["v"])


CODECS = Codecs(
    named_simple={"re.RegexFlag": _flags},
    named_containers={"re.Pattern": _pattern},
    decoders={"Pattern": _to_pattern, "RegexFlag": _to_flags},
)
