"""Facts about a function that rules and writers ask for, whatever its language: numbers, names and texts, no syntax."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol


class Parameter(Protocol):
    """One parameter; `annotation` and `default` are source text, "" where there is none; `kind` as in `inspect`."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def annotation(self) -> str:
        """Its declared type."""
        ...

    @property
    def default(self) -> str:
        """Its default value."""
        ...

    @property
    def kind(self) -> str:
        """How it is passed."""
        ...

    @property
    def is_open(self) -> bool:
        """Whether its declared type, if it has one, says nothing of what is passed."""
        ...


class Description(Protocol):
    """What a function's documentation says, in parts."""

    @property
    def text(self) -> str:
        """All of it, dedented."""
        ...

    @property
    def prose(self) -> str:
        """The part before the first section."""
        ...

    @property
    def spoken(self) -> str:
        """All of the text but the examples."""
        ...


class LogicFacts(Protocol):
    """What is computed in a function's body, in numbers."""

    @property
    def statements(self) -> int:
        """Its statements, those inside others included."""
        ...

    @property
    def loops(self) -> int:
        """Its loops, in whatever form the language has them."""
        ...

    @property
    def loop_depth(self) -> int:
        """How deep its loops lie in each other."""
        ...

    @property
    def recursive(self) -> bool:
        """Whether it calls itself."""
        ...

    @property
    def structures(self) -> int:
        """How many kinds of data structures it builds."""
        ...

    @property
    def operations(self) -> int:
        """How much is computed besides renaming and formatting."""
        ...

    @property
    def kinds(self) -> Collection[str]:
        """The kinds of its statements and operators, and the names of what it calls, each once."""
        ...

    @property
    def returns(self) -> int:
        """Its return statements."""
        ...

    @property
    def constant_returns(self) -> int:
        """Those that give a constant or nothing."""
        ...

    @property
    def computed_returns(self) -> int:
        """Those that give neither a constant nor a name."""
        ...

    @property
    def tests(self) -> int:
        """Its conditional statements."""
        ...

    @property
    def equalities(self) -> int:
        """Those that compare with constants alone."""
        ...

    @property
    def tables(self) -> Sequence[int]:
        """The sizes of its literal tables of constants, in the order of the text."""
        ...

    @property
    def works(self) -> bool:
        """Whether there is a loop, an attempt, arithmetic or a slice in it."""
        ...

    @property
    def outer_calls(self) -> Sequence[str]:
        """What it calls outside of conditions, as text; conversions and formatting don't count."""
        ...

    @property
    def shapes(self) -> Sequence[str]:
        """Each statement as the kinds of its parts alone, so that statements that differ in names are equal."""
        ...

    @property
    def answers_with_functions(self) -> bool:
        """Whether all that it returns are functions that it defines."""
        ...


class NameFacts(Protocol):
    """The names and texts in a function, and those that everybody knows who knows the language."""

    @property
    def name(self) -> str:
        """The function's name."""
        ...

    @property
    def parameters(self) -> Sequence[Parameter]:
        """The parameters in the order of the signature."""
        ...

    @property
    def returned(self) -> str:
        """The declared type of the answer as text, "" where there is none."""
        ...

    @property
    def description(self) -> Description | None:
        """Its documentation in parts."""
        ...

    @property
    def leaning(self) -> str:
        """What its documentation leans on that a reader does not have; "" where it stands alone."""
        ...

    @property
    def raised(self) -> Sequence[str]:
        """The types of exceptions that it raises by name."""
        ...

    @property
    def texts(self) -> Sequence[str]:
        """The texts among its constants."""
        ...

    @property
    def unraised_texts(self) -> Sequence[str]:
        """Those outside of what it raises."""
        ...

    @property
    def arguments(self) -> Collection[str]:
        """The names of its parameters, and of those of functions inside it."""
        ...

    @property
    def known_names(self) -> Collection[str]:
        """Names that belong to the language."""
        ...

    @property
    def known_libraries(self) -> Collection[str]:
        """Libraries that everybody knows."""
        ...

    def is_builtin(self, name: str) -> bool:
        """Whether a dotted name is a method of a built-in type."""
        ...


class InputFacts(Protocol):
    """Whether values can be built for the parameters; each gives the evidence against it as a sentence, or ""."""

    @property
    def unbuildable_type(self) -> str:
        """A declared type that asks for a file, an iterator, a class, an exception or the like."""
        ...

    @property
    def called_parameter(self) -> str:
        """A parameter, or an element of one, that is called as no function of the suites' palette can be."""
        ...

    @property
    def object_parameter(self) -> str:
        """A first parameter that stands for an object of the project."""
        ...

    def unknown_attribute(self, libraries: Collection[str], imports: Sequence[str]) -> str:
        """An attribute of a parameter that no plain value and no type of these libraries has."""
        ...

    def library_object(self, imports: Sequence[str]) -> str:
        """A declared type of a library whose values can't be carried."""
        ...


class FunctionFacts(LogicFacts, NameFacts, InputFacts, Protocol):
    """All that the judge asks of a function."""


class FactReader(Protocol):
    """Who reads the facts."""

    def read(self, program: str, name: str) -> FunctionFacts:
        """The facts about a program's function; raises `Unreadable`."""
        ...
