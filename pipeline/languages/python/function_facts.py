"""What the judge asks of a Python function: the facts of its syntax tree as numbers, names and texts."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Sequence
from functools import cached_property

from pipeline.languages.programs import Unreadable
from pipeline.languages.python import constructible, logic
from pipeline.languages.python.asides import LIBRARIES, PYTHON_NAMES, leaning
from pipeline.languages.python.facts import Facts, read_facts


class JudgedFacts(Facts):
    """The facts with what they mean for rules that know no language."""

    known_names: Collection[str] = PYTHON_NAMES
    known_libraries: Collection[str] = LIBRARIES

    @property
    def name(self) -> str:
        """The function's name."""
        return self.function.name

    @cached_property
    def structures(self) -> int:
        """How many kinds of data structures it builds."""
        return logic.structures(self)

    @cached_property
    def operations(self) -> int:
        """How much is computed besides renaming and formatting."""
        return logic.operations(self)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of its statements and operators, and the names of what it calls."""
        return logic.kinds(self)

    @cached_property
    def returns(self) -> int:
        """Its return statements."""
        return len(logic.returns(self))

    @cached_property
    def constant_returns(self) -> int:
        """Those that give a constant or nothing."""
        return logic.constant_returns(self)

    @cached_property
    def computed_returns(self) -> int:
        """Those that give neither a constant nor a name."""
        return logic.computed_returns(self)

    @cached_property
    def tests(self) -> int:
        """Its `if` statements."""
        return len(logic.tests(self))

    @cached_property
    def equalities(self) -> int:
        """Those that compare with constants alone."""
        return logic.equalities(self)

    @cached_property
    def tables(self) -> Sequence[int]:
        """The sizes of its literal tables of constants."""
        return logic.tables(self)

    @cached_property
    def works(self) -> bool:
        """Whether there is a loop, an attempt, arithmetic or a slice in it."""
        return logic.works(self)

    @cached_property
    def outer_calls(self) -> Sequence[str]:
        """What it calls outside of conditions."""
        return logic.outer_calls(self)

    @cached_property
    def shapes(self) -> Sequence[str]:
        """Its statements as the types of their nodes alone."""
        return logic.shapes(self)

    @cached_property
    def returned(self) -> str:
        """The annotation of the answer."""
        return ast.unparse(self.function.returns) if self.function.returns is not None else ""

    @cached_property
    def leaning(self) -> str:
        """What its docstring, the examples left out, leans on that a reader does not have."""
        return leaning(self.description.spoken) if self.description is not None else ""

    @cached_property
    def texts(self) -> Sequence[str]:
        """The texts among its constants."""
        return [text for text, _ in self._texts]

    @cached_property
    def unraised_texts(self) -> Sequence[str]:
        """Those outside of `raise` statements."""
        return [text for text, raised in self._texts if not raised]

    @cached_property
    def _texts(self) -> list[tuple[str, bool]]:
        raised = {id(part) for node in self.nodes if isinstance(node, ast.Raise) for part in ast.walk(node)}
        return [(node.value, id(node) in raised) for node in self.nodes
                if isinstance(node, ast.Constant) and isinstance(node.value, str)]

    @cached_property
    def arguments(self) -> frozenset[str]:
        """The names of its parameters, and of those of functions inside it."""
        return frozenset(node.arg for node in ast.walk(self.function) if isinstance(node, ast.arg))

    def is_builtin(self, name: str) -> bool:
        """Whether it is a method of a built-in type, such as `str.split`."""
        kind, _, method = name.partition(".")
        return bool(method) and hasattr(getattr(builtins, kind, None), method)

    @cached_property
    def unbuildable_type(self) -> str:
        """An annotation that asks for a file, an iterator, a class, an exception or the like."""
        return constructible.unbuildable_type(self)

    @cached_property
    def called_parameter(self) -> str:
        """A parameter, or an element of one, that is called as no function of the suites' palette can be."""
        return constructible.called_parameter(self)

    @cached_property
    def object_parameter(self) -> str:
        """A first parameter called `self` or `cls` that is more than a plain value."""
        return constructible.object_parameter(self)

    def unknown_attribute(self, libraries: Collection[str], imports: Sequence[str]) -> str:
        """An attribute of a parameter that no plain value and no type of these libraries has."""
        return constructible.unknown_attribute(self, libraries, imports)

    def library_object(self, imports: Sequence[str]) -> str:
        """An annotation with a class of a library whose values can't be carried."""
        return constructible.library_object(self, imports)


class PythonFacts:
    """Who reads the facts about Python functions."""

    def read(self, program: str, name: str) -> JudgedFacts:
        """The facts about a program's function; raises `Unreadable`."""
        try:
            facts = read_facts(program, name)
        except (SyntaxError, ValueError, LookupError) as error:
            raise Unreadable(str(error)) from error
        return JudgedFacts(facts.tree, facts.function)
