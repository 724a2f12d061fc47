# Comprehensions have a scope of their own; only the first iterable is evaluated outside of it.
x = [1]


def own_scope(items):
    # ^ class: SC
    return [item for item in items if item]
    #       ^ defined: 7
    #                        ^ defined: 5
    #                                 ^ defined: 7


def does_not_leak(items):
    # ^ class: UNSURE item
    [item for item in items]
    return item
    #      ^ defined:


def first_iterable_outside(x):
    return [x for x in x]
    #       ^ defined: 21
    #                  ^ defined: 20


def second_iterable_inside(rows):
    return [cell for row in rows for cell in row if cell != row]
    #       ^ defined: 27
    #                       ^ defined: 26
    #                                        ^ defined: 27


def second_iterable_own_name(rows):
    return [y for z in rows for y in y]
    #                                ^ defined: 34


def module_name_in_first_iterable():
    # ^ class: PROJECT_DEPENDENT x
    return [x for x in x]
    #                  ^ defined: 2


def kinds(items):
    # ^ class: SC
    a = {key: value for key, value in items}
    #    ^ defined: 46
    #         ^ defined: 46
    b = {value for _, value in items}
    #    ^ defined: 49
    return a, b, sum(n for n in items)
    #                ^ defined: 51


def nested(matrix):
    # ^ class: SC
    return [[cell for cell in row] for row in matrix]
    #                         ^ defined: 57
    #                                         ^ defined: 55


def walrus_leaves(items):
    # ^ class: SC
    found = [last := item for item in items]
    #                ^ defined: 64
    return last, found
    #      ^ defined: 64


def walrus_in_condition(items):
    if any((hit := item) > 1 for item in items):
        return hit
        #      ^ defined: 71
    return None


def walrus_in_nested(rows):
    return [[(deep := cell) for cell in row] for row in rows], deep
    #                                                          ^ defined: 78


def lambda_inside(items):
    # ^ class: SC
    return [lambda: item for item in items]
    #               ^ defined: 84


def in_a_class(items):
    # ^ class: PROJECT_DEPENDENT x
    class Holder:
        x = 5
        ys = [x for _ in range(x)]
        #     ^ defined: 2
        #                      ^ defined: 91
    return Holder


def targets(pairs):
    return [a + b for a, (b, *c) in pairs if c]
    #       ^ defined: 99
    #           ^ defined: 99
    #                                        ^ defined: 99


def unpacked(items):
    # ^ class: SC
    return [*(n for n in items)], {**{k: k for k in items}}
    #         ^ defined: 107
    #                                 ^ defined: 107
