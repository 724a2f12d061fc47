"""A metaclass collects bracket classes, a descriptor holds the stack, __init_subclass__ and __class_getitem__ are there too."""
from typing import Protocol, runtime_checkable


@runtime_checkable
class Opens(Protocol):
    closing: str


class Stack:
    def __set_name__(self, owner, name):
        self.name = f"_{name}"

    def __get__(self, instance, owner=None):
        return self if instance is None else instance.__dict__.setdefault(self.name, [])


class Kinds(type):
    known = {}

    def __new__(meta, name, bases, space, **options):
        made = super().__new__(meta, name, bases, space)
        if options:
            meta.known[options["opening"]] = made
        return made

    def __init__(cls, name, bases, space, **options):
        super().__init__(name, bases, space)


class Bracket(metaclass=Kinds):
    closing = ""


class Round(Bracket, opening="("):
    closing = ")"


class Square(Bracket, opening="["):
    closing = "]"


class Curly(Bracket, opening="{"):
    closing = "}"


class Checker:
    stack = Stack()

    def __class_getitem__(cls, text):
        checker = cls()
        return all(map(checker.accepts, text)) and not checker.stack

    def accepts(self, c):
        if c in Kinds.known:
            assert isinstance(Kinds.known[c], Opens)
            self.stack.append(Kinds.known[c].closing)
        elif c in {kind.closing for kind in Kinds.known.values()}:
            return bool(self.stack) and self.stack.pop() == c
        return True


def is_balanced(text):
    return Checker[text]
