"""The tables of words: operators, comparisons, functions and methods of builtin types."""

from __future__ import annotations

import ast

from pipeline.instruct.phrases import FORMS

ARITHMETIC: dict[type[ast.operator], str] = {
    ast.Add: "{} plus {}", ast.Sub: "{} minus {}", ast.Mult: "{} times {}", ast.Div: "{} divided by {}",
    ast.FloorDiv: "{} divided by {} and rounded down", ast.Mod: "the remainder of {} divided by {}",
    ast.Pow: "{} to the power of {}", ast.LShift: "{} shifted left by {} bits",
    ast.RShift: "{} shifted right by {} bits", ast.MatMult: "the matrix product of {} and {}",
    ast.BitOr: "what is in {} or in {} (`|`)", ast.BitAnd: "what {} and {} have in common (`&`)",
    ast.BitXor: "what is in {} or in {}, but not in both (`^`)",
}
FUNCTIONS: dict[int, dict[str, str]] = {
    1: {
        "len": "the length of {}", "sum": "the sum of {}", "min": "the smallest of {}", "max": "the largest of {}",
        "abs": "the absolute value of {}", "int": "`int` of {}", "float": "`float` of {}", "str": "`str` of {}",
        "bool": "whether {} is truthy", "reversed": "{} in reverse order", "ord": "the code point of {}",
        "chr": "the character with the code point {}", "round": "{} rounded to a whole number",
        "sorted": "the list of the elements of {} in ascending order", "list": "a new list of the elements of {}",
        "tuple": "the tuple of the elements of {}", "set": "the set of the elements of {}",
        "frozenset": "the frozenset of the elements of {}", "dict": "a new dictionary from {}",
        "zip": "the tuples that pair up {}", "enumerate": "{} with their positions", "type": "the type of {}",
        "repr": "the `repr` of {}", "bytes": "{} as bytes", "next": "the next element of {}", "iter": "{}",
        "hash": "the hash of {}", "range": "the whole numbers from 0 up to, but without, {}",
        "math.floor": "{} rounded down", "math.ceil": "{} rounded up", "math.sqrt": "the square root of {}",
    },
    2: {
        "min": "the smaller of {} and {}", "max": "the larger of {} and {}",
        "round": "{} rounded to {} decimal places", "int": "{} read as a number of base {}",
        "divmod": "the quotient and the remainder of {} divided by {}", "pow": "{} to the power of {}",
        "zip": "the pairs of elements of {} and {} side by side", "getattr": "the attribute {1} of {0}",
        "range": "the whole numbers from {} up to, but without, {}",
        "next": "the next element of {}, or {} if there is none",
        "enumerate": "{} with their positions counted from {}",
    },
    3: {"range": "the whole numbers from {} up to, but without, {} in steps of {}"},
}
"""Functions in words, by the number of arguments."""
METHODS: dict[int, dict[str, str]] = {
    0: {
        **{name: "{0} " + form for name, form in FORMS.items()}, "title": "{0} in title case",
        "capitalize": "{0} with only its first letter in upper case", "items": "the items of {0}",
        "keys": "the keys of {0}", "values": "the values of {0}", "splitlines": "the lines of {0} (`splitlines`)",
        "split": "the words of {0}", "swapcase": "{0} with upper and lower case swapped", "copy": "a copy of {0}",
        "total_seconds": "the seconds of {0}", "isoformat": "{0} in ISO format", "groups": "the groups of {0}",
        "group": "all that {0} matched", "pop": "the last element of {0}, which is removed from it",
    },
    1: {
        "count": "the number of times that {1} occurs in {0}", "find": "the position of the first {1} in {0}",
        "rfind": "the position of the last {1} in {0}", "index": "the position of the first {1} in {0}",
        "rindex": "the position of the last {1} in {0}", "split": "the parts of {0} between {1}",
        "rsplit": "the parts of {0} between {1}", "get": "what {0} has under {1} (None if it is missing)",
        "join": "({1}, joined with {0})",
        "strip": "{0} without any of the characters {1} around it", "zfill": "{0} padded with zeros to a width of {1}",
        "lstrip": "{0} without any of the characters {1} at its beginning",
        "rstrip": "{0} without any of the characters {1} at its end",
        "removeprefix": "{0} without {1} at its beginning",
        "removesuffix": "{0} without {1} at its end", "encode": "{0} encoded as {1}", "decode": "{0} decoded as {1}",
        "ljust": "{0} filled up with spaces on the right to a width of {1}", "strftime": "{0} in the format {1}",
        "rjust": "{0} filled up with spaces on the left to a width of {1}", "partition": "{0} split at the first {1}",
        "rpartition": "{0} split at the last {1}", "expandtabs": "{0} with tabs expanded to {1} columns",
        "group": "what group {1} of {0} matched", "pop": "what {0} has at {1}, which is removed from it",
    },
    2: {
        "replace": "{0} with each {1} replaced by {2}", "split": "{0} split at most {2} times at {1}",
        "rsplit": "{0} split from the right at most {2} times at {1}",
        "ljust": "{0} filled up with {2} on the right to a width of {1}",
        "rjust": "{0} filled up with {2} on the left to a width of {1}",
        "get": "what {0} has under {1} ({2} if it is missing)",
        "encode": "{0} encoded as {1} (errors: {2})", "decode": "{0} decoded as {1} (errors: {2})",
        "count": "the number of times that {1} occurs in {0} from position {2} on",
        "find": "the position of the first {1} in {0} from position {2} on",
        "pop": "what {0} has under {1} ({2} if it is missing), which is removed from it",
        "setdefault": "what {0} has under {1} (where nothing is, {2} is put there first)",
    },
}
"""Methods of builtin types in words, by the number of arguments: {0} is their owner."""
ORDER: dict[type[ast.cmpop], str] = {
    ast.Eq: "equals", ast.NotEq: "differs from", ast.Lt: "is less than", ast.LtE: "is at most",
    ast.Gt: "is greater than", ast.GtE: "is at least", ast.Is: "is", ast.IsNot: "is not", ast.In: "is in",
    ast.NotIn: "is not in",
}
MATCHES = {
    "re.match": "{1} has a match of the regular expression {0} at its beginning",
    "re.fullmatch": "all of {1} matches the regular expression {0}",
    "re.search": "the regular expression {0} matches somewhere in {1}",
}
POSITIONS = {0: "the first element of {}", 1: "the second element of {}", -1: "the last element of {}",
              -2: "the last but one element of {}"}
