"""What the judge asks of a toy function."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tests.toy.naming import BUILTINS
from tests.toy.syntax import ToyFunction, function_of


@dataclass(frozen=True)
class ToyParameter:
    """Everything is a whole number, so nothing is declared."""

    name: str
    annotation: str = "number"
    default: str = ""
    kind: str = "positional"
    is_open: bool = False


@dataclass(frozen=True)
class ToyDescription:
    """The lines that begin with `#`."""

    text: str

    @property
    def prose(self) -> str:
        return self.text

    @property
    def spoken(self) -> str:
        return self.text


@dataclass(frozen=True)
class ToyFacts:
    """The facts about one function, counted over its words."""

    function: ToyFunction
    description: ToyDescription | None
    loops: int = 0
    loop_depth: int = 0
    structures: int = 0
    works: bool = True
    tables: Sequence[int] = ()
    outer_calls: Sequence[str] = ()
    shapes: Sequence[str] = ()
    answers_with_functions: bool = False
    returned: str = "number"
    leaning: str = ""
    raised: Sequence[str] = ()
    texts: Sequence[str] = ()
    unraised_texts: Sequence[str] = ()
    known_names: Collection[str] = BUILTINS
    known_libraries: Collection[str] = ("math",)
    unbuildable_type: str = ""
    called_parameter: str = ""
    object_parameter: str = ""

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def parameters(self) -> Sequence[ToyParameter]:
        return [ToyParameter(name) for name in self.function.parameters]

    @property
    def arguments(self) -> Collection[str]:
        return self.function.parameters

    @property
    def recursive(self) -> bool:
        return self._count(self.name) > 0

    @property
    def statements(self) -> int:
        return self.returns + self.tests + sum(word.text.endswith("=") for word in self.function.body)

    @property
    def operations(self) -> int:
        return self._count(*BUILTINS) + 2 * self.recursive

    @property
    def kinds(self) -> Collection[str]:
        return {word.text for word in self.function.body if word.text in (*BUILTINS, "return", "if")}

    @property
    def returns(self) -> int:
        return self._count("return")

    @property
    def constant_returns(self) -> int:
        body = self.function.body
        return sum(word.text == "return" and body[i - 1].is_number and not body[i - 2].is_use
                   for i, word in enumerate(body))

    @property
    def computed_returns(self) -> int:
        return self.returns - self.constant_returns

    @property
    def tests(self) -> int:
        return self._count("if")

    @property
    def equalities(self) -> int:
        return self._count("same")

    def is_builtin(self, name: str) -> bool:
        return name in BUILTINS

    def unknown_attribute(self, libraries: Collection[str], imports: Sequence[str]) -> str:
        return ""

    def library_object(self, imports: Sequence[str]) -> str:
        return ""

    def _count(self, *texts: str) -> int:
        return sum(word.text in texts for word in self.function.body)


class ToyFactReader:
    """Who reads the facts."""

    def read(self, program: str, name: str) -> ToyFacts:
        function = function_of(program, name)
        said = [line.strip().lstrip("# ") for line in program.split("\n") if line.lstrip().startswith("#")]
        return ToyFacts(function, ToyDescription("\n".join(said)) if said else None)
