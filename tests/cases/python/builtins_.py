# Builtins: most are just there; effects are the screen's business, but what hides names is decided here.


def common(xs):
    # ^ class: SC
    return sorted(map(str, xs), key=len), ValueError, NotImplemented, __debug__
    #      ^ builtin
    #             ^ builtin
    #                 ^ builtin
    #                               ^ builtin
    #                                     ^ builtin
    #                                                 ^ builtin
    #                                                                 ^ builtin


def effects_are_left_to_the_screen(a):
    # ^ class: SC
    print(open(a), input(), id(a), hash(a), vars(a))
    #     ^ builtin
    return a


def evaluates(a):
    # ^ class: UNSURE eval
    return eval(a)


def executes(a):
    # ^ class: UNSURE exec
    exec(a)
    return a


def imports(a):
    # ^ class: UNSURE __import__
    return __import__(a)


def all_names(a):
    # ^ class: UNSURE globals
    return globals()[a]


def shadowed(a, eval):
    # ^ class: SC
    return eval(a)
    #      ^ defined: 44


def python_2(a):
    # ^ class: UNSURE basestring, unicode, xrange
    return isinstance(a, basestring), unicode(a), xrange(a)
    #                    ^ defined:


def not_in_every_python(a):
    # ^ class: UNSURE reveal_type
    return reveal_type(a)


def groups(f):
    # ^ class: SC
    return ExceptionGroup, aiter, anext, EncodingWarning
    #      ^ builtin
    #                      ^ builtin
