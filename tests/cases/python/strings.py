# Expressions in f-strings are references like any others; other strings hold none.
WIDTH = 3


def simple(name):
    # ^ class: SC
    return f"hello {name} {name!r:>10} {{name}}"
    #               ^ defined: 5
    #                      ^ defined: 5


def module_name(name):
    # ^ class: PROJECT_DEPENDENT WIDTH
    return f"{name:>{WIDTH}}"
    #         ^ defined: 12
    #                ^ defined: 2


def nested(names):
    # ^ class: SC
    return f"{', '.join(f'{n}' for n in names)}" "WIDTH" f"{names=}"
    #                      ^ defined: 21
    #                                   ^ defined: 19
    #                                                       ^ defined: 19


def calls(a):
    # ^ class: UNSURE unknown
    return rf"{unknown(a)}\d"
    #          ^ defined:


def lambda_in_string(a):
    # ^ class: SC
    return f"{(lambda x: x + a)(1)}"
    #                    ^ defined: 35
    #                        ^ defined: 33


def walrus_in_string(a):
    # ^ class: SC
    return f"{(n := a)} {n}"
    #                    ^ defined: 42


def plain_strings(a):
    # ^ class: SC
    """WIDTH {WIDTH}"""
    return "{WIDTH}".format(WIDTH=a), b"WIDTH"
    #      ^ nothing


def multi_line(a):
    # ^ class: PROJECT_DEPENDENT WIDTH
    return f"""
    {a}
    {WIDTH}
    """
