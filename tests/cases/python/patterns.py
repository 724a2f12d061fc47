# Patterns capture names, and use dotted names and classes.
import re
from enum import Enum


class Color(Enum):
    RED = 1


ORIGIN = (0, 0)


def captures(command):
    # ^ class: SC
    match command:
        # ^ defined: 13
        case [action, *rest]:
            return action, rest
            #      ^ defined: 17
            #              ^ defined: 17
        case {"key": value, **others}:
            return value, others
            #      ^ defined: 21
            #             ^ defined: 21
        case (x, y) | [x, y, _]:
            return x + y
            #      ^ defined: 25
        case str() as text if text and len(text):
            #^ builtin
            #                 ^ defined: 28
            #                          ^ builtin
            return text
            #      ^ defined: 28
        case -1 | 1.5 | "s" | None | True:
            return 0
        case other:
            return other
            #      ^ defined: 36
    return action
    #      ^ defined: 17


def value_pattern(c):
    # ^ class: PROJECT_DEPENDENT Color
    match c:
        case Color.RED:
            #^ defined: 6
            return 1
    return 0


def class_pattern(c):
    # ^ class: WSC re
    match c:
        case re.Match(pos=start, string=text):
            #^ library: re.Match
            return start, text
            #      ^ defined: 55
            #             ^ defined: 55
    return 0


def name_alone_is_captured(c):
    # ^ class: SC
    match c:
        case ORIGIN:
            return ORIGIN
            #      ^ defined: 66


def wildcard_binds_nothing(c):
    # ^ class: UNSURE _
    match c:
        case _:
            return _
            #      ^ defined:


def builtin_classes(c):
    # ^ class: SC
    match c:
        case int(n) | float(n):
            #^ builtin
            #         ^ builtin
            return n
            #      ^ defined: 82
        case {Color: 1}:
            return 1
    return 0


def keys_and_subjects(c, d):
    # ^ class: PROJECT_DEPENDENT Color
    match c, d:
        #    ^ defined: 92
        case {Color.RED: found}, _:
            return found
            #      ^ defined: 96


def soft_keywords(match, case, type):
    # ^ class: SC
    match[0] = case
    return type, match
    #            ^ defined: 101
