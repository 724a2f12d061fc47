# `global` and `nonlocal`: names that live elsewhere.
count = 0


def reads_global():
    # ^ class: PROJECT_DEPENDENT count
    global count
    return count
    #      ^ defined: 2, 15, 93, 99


def writes_global(n):
    # ^ class: PROJECT_DEPENDENT count
    global count
    count = n
    return n


def declares_only(n):
    # ^ class: PROJECT_DEPENDENT count
    global count
    #      ^ defined: 2, 15, 93, 99
    return n


def makes_global(n):
    # ^ class: PROJECT_DEPENDENT fresh
    global fresh
    fresh = n
    return fresh
    #      ^ defined: 29


def declares_nothing(n):
    # ^ class: UNSURE nowhere
    global nowhere
    return n


def uses_fresh():
    # ^ class: PROJECT_DEPENDENT fresh
    return fresh
    #      ^ defined: 29


def global_skips_enclosing(count):
    def inner():
        global count
        return count
        #      ^ defined: 2, 15, 93, 99
    return inner


def counter():
    # ^ class: SC
    n = 0

    def bump():
        nonlocal n
        n += 1
        return n
        #      ^ defined: 56
    return bump


def nonlocal_two_up():
    n = 0

    def middle():
        def inner():
            nonlocal n
            #        ^ defined: 67
            n = 1
        return inner
    return middle


def local_without_nonlocal():
    # ^ class: SC
    n = 0

    def bump():
        n = 1
        return n
        #      ^ defined: 83
    return bump, n
    #            ^ defined: 80


def walrus_under_global(xs):
    # ^ class: PROJECT_DEPENDENT count
    global count
    return [count := x for x in xs]


def global_loop(xs):
    # ^ class: PROJECT_DEPENDENT count
    global count
    for count in xs:
        pass
    return xs


def global_in_class():
    # ^ class: PROJECT_DEPENDENT count
    class Holder:
        global count
        value = count
        #       ^ defined: 2, 15, 93, 99
    return Holder
