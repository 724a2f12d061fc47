# Class bodies: functions inside do not see their names, and names count from their place on.
size = 1


class Box:
    size = 2
    twice = size * 2
    #       ^ defined: 6
    early = late
    #       ^ defined: 14
    late = size


late = "module"


def class_inside(n):
    # ^ class: PROJECT_DEPENDENT size
    class Inner:
        size = n
        #      ^ defined: 17

        def get(self):
            return size
            #      ^ defined: 2
    return Inner


def sees_function_around(n):
    # ^ class: SC
    class Inner:
        m = n
        #   ^ defined: 29

        def get(self):
            return n, Inner
            #      ^ defined: 29
            #         ^ defined: 31
    return Inner


def class_reads_enclosing(size):
    class Inner:
        other = size
        #       ^ defined: 42
    return Inner


def class_rebinds(size):
    class Inner:
        size = size
        #      ^ defined: 2
    return Inner


class Methods:
    scale = 3

    @staticmethod
    def plain(a):
        # ^ class: SC
        return a * 2

    @staticmethod
    def uses_class(a):
        # ^ class: PROJECT_DEPENDENT Methods
        return Methods.plain(a)

    @staticmethod
    def default_from_class(a, b=scale):
        # ^ class: PROJECT_DEPENDENT scale
        #                       ^ defined: 57
        return a * b

    @staticmethod
    def class_name_hidden(a):
        # ^ class: UNSURE scale
        return a * scale
        #          ^ defined:

    @staticmethod
    def dunder_class(a):
        # ^ class: PROJECT_DEPENDENT __class__
        return __class__
        #      ^ implicit

    @staticmethod
    def parent(a):
        # ^ class: PROJECT_DEPENDENT super
        return super(a)

    @staticmethod
    def own_name(a):
        # ^ class: UNSURE own_name
        return own_name(a)

    @staticmethod
    def annotated(a: "Methods") -> int:
        # ^ class: PROJECT_DEPENDENT Methods
        return 1

    def method(self):
        return __class__, scale
        #      ^ implicit
        #                 ^ defined:

    def nested_in_method(self):
        def inner():
            return __class__
            #      ^ implicit
        return inner


def not_in_a_class():
    # ^ class: UNSURE __class__
    return __class__
    #      ^ defined:


def bases(parent):
    # ^ class: SC
    class Child(parent, metaclass=type):
        #       ^ defined: 120
        #                         ^ builtin
        def method(self):
            return super().method(), __class__
            #      ^ builtin
            #                        ^ implicit
    return Child


def qualname():
    class Named:
        label = __qualname__
        #       ^ implicit
        module = __module__
        #        ^ implicit
    return Named


def instance(a):
    # ^ class: PROJECT_DEPENDENT Box
    return isinstance(a, Box)
    #                    ^ defined: 5


def class_calls_what_it_rebinds(size):
    class Inner:
        size = size().real
        #      ^ defined: 2
    return Inner
