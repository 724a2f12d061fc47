# Functions, closures, lambdas, defaults: what a function sees, and where its header is evaluated.
import math

LIMIT = 3


def local(a, b=LIMIT, *rest, c=math.pi, **more):
    #          ^ defined: 4
    #                          ^ library: math.pi
    total = a + b
    #       ^ defined: 7
    #           ^ defined: 7
    return total, rest, c, more
    #      ^ defined: 10
    #             ^ defined: 7
    #                   ^ defined: 7
    #                      ^ defined: 7


def module_constant(a):
    # ^ class: PROJECT_DEPENDENT LIMIT
    return a + LIMIT
    #          ^ defined: 4


def default_constant(a, b=LIMIT):
    # ^ class: PROJECT_DEPENDENT LIMIT
    return a + b


def nothing_outside(a):
    # ^ class: SC
    return [a, a]


def undefined(a):
    # ^ class: UNSURE never_defined
    return never_defined(a)
    #      ^ defined:


def used_before_assignment(a):
    # ^ class: SC
    if a:
        print(late)
        #     ^ defined: 47
    late = 1
    return late


def assigned_in_one_branch(a):
    # ^ class: SC
    if a:
        LIMIT = 1
    return LIMIT
    #      ^ defined: 54


def outer(a):
    # ^ class: SC
    def inner(b):
        return a + b + c + inner(b)
        #      ^ defined: 59
        #          ^ defined: 61
        #              ^ defined: 67
        #                  ^ defined: 61
    c = 1
    return inner


def inner_default(a):
    def inner(a=a):
        #       ^ defined: 71
        return a
        #      ^ defined: 72
    return inner


def parameter_shadows(LIMIT, math):
    # ^ class: SC
    return LIMIT, math
    #      ^ defined: 79
    #             ^ defined: 79


def lambdas(xs):
    # ^ class: SC
    key = lambda x, y=xs: (x, y, key)
    #                 ^ defined: 86
    #                      ^ defined: 88
    #                         ^ defined: 88
    #                            ^ defined: 88
    return sorted(xs, key=key)
    #      ^ builtin
    #                     ^ defined: 88


def lambda_default_shadows(x):
    return lambda x=x: x
    #               ^ defined: 98
    #                  ^ defined: 99


def lambda_sees_module(xs):
    # ^ class: PROJECT_DEPENDENT LIMIT
    return max(xs, key=lambda x: x % LIMIT)


def calls_other(a):
    # ^ class: PROJECT_DEPENDENT local
    return local(a, 1)


def recursive(n):
    # ^ class: SC
    return 1 if n < 2 else n * recursive(n - 1)
    #                          ^ defined: 114


def redefined(n):
    # ^ class: PROJECT_DEPENDENT redefined
    return n - 1 and redefined(n - 1)


def redefined(n):
    # ^ class: SC
    return n and redefined(n - 1)


if LIMIT:
    def either(n):
        # ^ class: PROJECT_DEPENDENT either
        return n and either(n - 1)
else:
    def either(n):
        # ^ class: PROJECT_DEPENDENT either
        return n or either(n - 1)


def own_name_rebound(n):
    # ^ class: PROJECT_DEPENDENT own_name_rebound
    return n and own_name_rebound(n - 1)


own_name_rebound = LIMIT


def module_itself(a):
    # ^ class: PROJECT_DEPENDENT __name__
    return __name__ + a
    #      ^ implicit


def own_file(a):
    # ^ class: PROJECT_DEPENDENT __file__
    return __file__ + a


def later_defined(a):
    # ^ class: PROJECT_DEPENDENT defined_below
    return defined_below(a)
    #      ^ defined: 165


def defined_below(a):
    return a


async def awaiting(a):
    # ^ class: SC
    async with a as b:
        return [x async for x in b]
        #       ^ defined: 172
        #                        ^ defined: 171


def in_place(a):
    # ^ class: SC
    a.b = a.c
    #     ^ defined: 177
    a[0] = a
    return a


def attribute_is_no_name(a):
    # ^ class: SC
    return a.LIMIT, dict(LIMIT=1)
    #               ^ builtin
