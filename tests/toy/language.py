"""The toy as the pipeline sees it: all parts of a language, each as short as it can be."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import PurePosixPath

from pipeline.languages import Language
from pipeline.languages.effects import Finding, Rule, Use, broken
from pipeline.languages.programs import Unreadable
from pipeline.languages.reading import SHINGLE, CallSite, Definition
from pipeline.records import Reason
from tests.toy.facts import ToyFactReader
from tests.toy.flow import ToyFlow
from tests.toy.naming import ToyNaming
from tests.toy.syntax import ToyFunction, fault, function_of, functions, words

_EFFECTS = (
    Rule(Reason.IMPURE, "writes to the terminal", ("print",)),
    Rule(Reason.NONDETERMINISTIC_CALL, "reads the clock", ("now",)),
)


class ToyReader:
    """What mining asks."""

    version = "toy-1"

    def alone(self, method: Definition) -> Definition | None:
        return None

    def decode(self, data: bytes) -> str:
        return data.decode("utf-8")

    def definitions(self, text: str) -> Sequence[Definition]:
        return [_definition(text, function) for function in functions(text)]

    def pieces(self, text: str) -> Sequence[str]:
        return (text,)

    def is_sound(self, text: str) -> bool:
        return not fault(text)

    def shingles(self, tokens: bytes) -> Sequence[int]:
        parts = tokens.split(b"\0")
        rows = [parts[i : i + SHINGLE] for i in range(max(1, len(parts) - SHINGLE + 1))]
        return [int.from_bytes(blake2b(b"\0".join(row), digest_size=8).digest(), "big") for row in rows]

    def calls(self, text: str, names: Collection[str]) -> Sequence[CallSite]:
        """The uses of functions right behind numbers."""
        found, numbers = [], list[str]()
        for word in words(text):
            if numbers and word.text in names:
                found.append(CallSite(word.text, "", " ".join(numbers)))
            numbers = [*numbers, word.text] if word.is_number else []
        return found


def _definition(text: str, function: ToyFunction) -> Definition:
    end = function.last.position + len(function.last.text)
    lines = text[: function.head[0].position].split("\n")[:-1]
    said = 0
    while said < len(lines) and lines[-1 - said].startswith("#"):
        said += 1
    first = function.head[0].line - said
    source = "\n".join((*lines[len(lines) - said :], text[function.head[0].position : end])) + "\n"
    tokens = b"\0".join(word.text.encode() for word in (*function.head[1:], *function.body))
    return Definition(
        function.name, function.name, "nested" if function.depth else "function", first, function.last.line, (), False,
        False, source, blake2b(tokens, digest_size=16).hexdigest(), function.closed, tokens,
    )


class ToyLayout:
    """Where the files lie."""

    suffixes: tuple[str, ...] = (".toy",)

    def excluded_as(self, name: str, at_root: bool) -> str:
        return "tests" if self.is_test(name) else ""

    def is_test(self, path: str) -> bool:
        return PurePosixPath(path).name.startswith("check-")

    def module(self, path: str) -> str:
        return PurePosixPath(path).stem

    def own_packages(self, project: str, path: str) -> frozenset[str]:
        return frozenset({project})


class ToyPrograms:
    """How programs are put together."""

    def program(self, imports: Sequence[str], source: str, before: str = "") -> str:
        text = before + "\n".join((*imports, source))
        if fault(text):
            raise Unreadable(f"Toy refuses it: {fault(text)}")
        return text

    def plain(self, program: str) -> str:
        return " ".join(word.text for word in words(program))

    def imports(self, text: str) -> tuple[str, ...]:
        return tuple(word.text for word in words(text) if word.text.startswith("&"))

    def stub(self, instruction: str) -> str:
        return f"{instruction.rstrip()} {{ 0 return }}\n"

    def fault(self, text: str) -> str:
        return fault(text)


class ToyEffects:
    """What goes beyond the parameters."""

    def findings(self, program: str, name: str) -> list[Finding]:
        body = function_of(program, name).body
        return list(broken([Use(word.text, word.line, None) for word in body if word.is_use], _EFFECTS))


@dataclass(frozen=True)
class ToyMutant:
    """A changed program."""

    operator: str
    line: int
    program: str


class ToyMutators:
    """`less` becomes `same`, place by place."""

    def mutants(self, program: str, name: str) -> list[ToyMutant]:
        found = [word for word in function_of(program, name).body if word.text == "less"]
        return [ToyMutant("less to same", word.line, f"{program[:word.position]}same{program[word.position + 4:]}")
                for word in found]


TOY = Language(
    name="toy",
    reading=ToyReader(),
    layout=ToyLayout(),
    naming=ToyNaming(),
    programs=ToyPrograms(),
    flow=ToyFlow(),
    effects=ToyEffects(),
    facts=ToyFactReader(),
    mutants=ToyMutators(),
)
