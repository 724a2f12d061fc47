# Type parameters (Python 3.12): a scope around the function, which its annotations and its body see.
T = int


class Base:
    pass


def generic[T](a: T, b: T = None) -> list[T]:
    # ^ class: SC
    #             ^ defined: 9
    #                                     ^ defined: 9
    c: T = a
    #  ^ defined: 9
    return T, c
    #      ^ defined: 9


def bounded[T: Base, *Ts, **P](a: T, *rest: *Ts) -> T:
    # ^ class: PROJECT_DEPENDENT Base
    #          ^ defined: 5
    #                             ^ defined: 19
    #                                        ^ defined: 19
    return a


def default_outside[T](a=T):
    # ^ class: PROJECT_DEPENDENT T
    #                    ^ defined: 2
    return a


def other():
    # ^ class: PROJECT_DEPENDENT T
    return T
    #      ^ defined: 2


def nested[T](a: T):
    def inner[U](b: U, c: T) -> T:
        #           ^ defined: 40
        #                 ^ defined: 39
        return U, T
        #      ^ defined: 40
        #         ^ defined: 39
    return inner


class Generic[T](list[T]):
    #                 ^ defined: 49
    size = T
    #      ^ defined: 49

    def method[U: size](self, a: T, b: U) -> T:
        #         ^ defined: 51
        #                        ^ defined: 49
        #                              ^ defined: 54
        return T, size
        #      ^ defined: 49
        #         ^ defined:

    @staticmethod
    def plain(a: T) -> int:
        # ^ class: PROJECT_DEPENDENT T
        return 1


type Pair[A] = tuple[A, T]
#                    ^ defined: 68
#                       ^ defined: 2


def uses_alias(a: Pair) -> int:
    # ^ class: PROJECT_DEPENDENT Pair
    #             ^ defined: 68
    return 1


def alias_inside(a):
    # ^ class: SC
    type Row[K] = dict[K, Row]
    #                  ^ defined: 81
    #                     ^ defined: 81
    return Row
    #      ^ defined: 81
