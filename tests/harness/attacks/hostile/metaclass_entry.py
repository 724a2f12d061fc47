"""Is a class whose own class answers for it: called, it gives itself, and it is equal to all there is."""


class Meta(type):
    def __call__(cls, *arguments, **named):
        return cls

    def __eq__(cls, other):
        return True

    def __instancecheck__(cls, instance):
        return True

    def __getattr__(cls, name):
        return cls

    __hash__ = None


class runs(metaclass=Meta):
    pass
