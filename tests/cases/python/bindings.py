# Everything that binds a name makes it local to the function.
import contextlib

e = value = "module"


def caught(f):
    # ^ class: SC
    try:
        return f()
    except (ValueError, KeyError) as e:
        #   ^ builtin
        #               ^ builtin
        return str(e)
        #          ^ defined: 11


def caught_name_stays_local(f):
    # ^ class: SC
    try:
        f()
    except ValueError as e:
        pass
    return e
    #      ^ defined: 22


def group(f):
    try:
        f()
    except* TypeError as e:
        #   ^ builtin
        return e
        #      ^ defined: 31


def deleted(a):
    # ^ class: SC
    del value
    return value
    #      ^ defined: 39


def deleted_parts(a):
    # ^ class: SC
    b = [1, 2]
    del a.x, b[0], (b)
    #   ^ defined: 44
    #        ^ defined: 46, 47
    return b
    #      ^ defined: 46, 47


def loops(xs):
    # ^ class: SC
    for i, (j, *k) in xs:
        pass
    else:
        i = 0
    while j:
        j -= 1
    return i, j, k
    #      ^ defined: 56, 59
    #         ^ defined: 56, 61
    #            ^ defined: 56


def loop_attribute(xs, holder):
    # ^ class: SC
    for holder.item in xs:
        #              ^ defined: 68
        pass
    return holder


def managed(path):
    # ^ class: WSC contextlib
    with contextlib.suppress(ValueError) as a, path as (b, c):
        return a, b, c
        #      ^ defined: 78
        #         ^ defined: 78
        #            ^ defined: 78


def managed_in_parentheses(a, b):
    with (a as x, b as y):
        #         ^ defined: 85
        return x, y
        #      ^ defined: 86
        #         ^ defined: 86


def walrus(xs):
    # ^ class: SC
    if (n := len(xs)) > 1:
        return n
        #      ^ defined: 95
    return n
    #      ^ defined: 95


def walrus_in_lambda(xs):
    f = lambda: (inner := 1) and inner
    #                            ^ defined: 103
    return f, inner
    #         ^ defined:


def chained(a):
    # ^ class: SC
    x = y = z = a
    return x, y, z
    #      ^ defined: 111
    #         ^ defined: 111
    #            ^ defined: 111


def starred(a):
    # ^ class: SC
    first, *rest = a
    [head, tail] = rest
    #              ^ defined: 120
    (only) = tail
    #        ^ defined: 121
    return first, head, only
    #      ^ defined: 120
    #             ^ defined: 121
    #                   ^ defined: 123


def augmented(a):
    # ^ class: SC
    value += a
    #        ^ defined: 131
    return value
    #      ^ defined: 133


def subscript_is_no_binding(a):
    # ^ class: PROJECT_DEPENDENT value
    value[0] = a
    return a


def attribute_is_no_binding(a):
    # ^ class: PROJECT_DEPENDENT value
    value.x = a
    return a


def annotated_without_value(a):
    # ^ class: SC
    value: int
    return value
    #      ^ defined: 153


def annotated_with_value(a):
    # ^ class: SC
    value: int = a
    #      ^ builtin
    #            ^ defined: 158
    return value
    #      ^ defined: 160


def function_inside(a):
    # ^ class: SC
    def value():
        return a
    return value
    #      ^ defined: 169


def class_inside(a):
    # ^ class: SC
    class value:
        pass
    return value
    #      ^ defined: 177


def import_inside(a):
    # ^ class: WSC math
    import math as value
    return value.floor(a)
    #      ^ library: math.floor


def asserted(a):
    # ^ class: PROJECT_DEPENDENT e, value
    assert a, value
    raise e from a
    #     ^ defined: 4
    #            ^ defined: 190


def type_is_a_name(a, type):
    # ^ class: SC
    type = a
    return type
    #      ^ defined: 198, 200


def type_attribute(a):
    # ^ class: SC
    type(a).size = a
    #              ^ defined: 205
    return a
