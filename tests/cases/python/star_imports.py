# A star import may define any name that the file itself does not define for certain.
import re
from tools import *

LIMIT = 1


def uses_star(a):
    # ^ class: UNSURE convert
    return convert(a)
    #      ^ unsure


def builtins_too(a):
    # ^ class: UNSURE len
    return len(a)
    #      ^ unsure


def own_names_are_sure(a):
    # ^ class: SC
    b = [a]
    return b
    #      ^ defined: 22


def defined_before_the_star(a):
    # ^ class: UNSURE re
    return re.escape(a)
    #      ^ unsure


def defined_after_the_star(a):
    # ^ class: PROJECT_DEPENDENT LIMIT
    return LIMIT + a
    #      ^ defined: 5


def inside(a):
    # ^ class: WSC math
    import math
    return math.floor(a)
    #      ^ library: math.floor
