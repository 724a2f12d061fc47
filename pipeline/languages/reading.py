"""Reading files for mining: function definitions and literal calls, fingerprints and shingles."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

SHINGLE = 5
"""How many words a shingle has; a function with fewer has one."""


@dataclass(frozen=True)
class Definition:
    """A function definition in a file.

    `kind` is `function` (module level), `staticmethod`, `method` or `nested`. Lines are 1-based and include the
    decorators, as `source` does, which is dedented. `decorators` are dotted names without `@` and arguments.
    `fingerprint` (hex) hashes the syntax tree without name, comments, docstring, annotations, decorators, formatting.
    `tokens` are what that hashes, with null bytes between them; shingles are made of them, too. `intact` says that
    there is no syntax error inside. `shape` (hex) hashes the tokens with numbers in the place of the names that the
    function binds, so that it stays when its variables are renamed; "" where the language does not tell.
    """

    name: str
    qualified: str
    kind: str
    line_start: int
    line_end: int
    decorators: tuple[str, ...]
    is_async: bool
    is_generator: bool
    source: str
    fingerprint: str
    intact: bool
    tokens: bytes
    shape: str = ""


@dataclass(frozen=True)
class CallSite:
    """A call of a function called `name` with literals: `arguments` as the language writes them between the brackets.

    `module` is the last part of the name of the module that the caller takes it from, "" for the caller's own file.
    """

    name: str
    module: str
    arguments: str


class Reader(Protocol):
    """What mining asks of a language."""

    @property
    def version(self) -> str:
        """A short text that changes whenever something else may be found in a file, so that indices are made anew."""
        ...

    def decode(self, data: bytes) -> str:
        """The text of a file, by the language's own rules on encodings; raises `UnicodeDecodeError`."""
        ...

    def definitions(self, text: str) -> Sequence[Definition]:
        """All function definitions of a file, in the order of the text."""
        ...

    def pieces(self, text: str) -> Sequence[str]:
        """Parts of a file whose definitions, but for their lines, are those of the file if all parts are sound."""
        ...

    def is_sound(self, text: str) -> bool:
        """Whether there is no syntax error in a text; costs little right after `definitions`."""
        ...

    def shingles(self, tokens: bytes) -> Sequence[int]:
        """The shingles of a definition's tokens in their order, `SHINGLE` words each, as 64-bit hashes for ever."""
        ...

    def alone(self, method: Definition) -> Definition | None:
        """A method as a function, where it needs nothing of its class or object; None where it does."""
        ...

    def calls(self, text: str, names: Collection[str]) -> Sequence[CallSite]:
        """The calls in a file of functions of these names with arguments that can be read off the text."""
        ...


class Layout(Protocol):
    """How projects in a language lay out their files; paths are relative to the project's root, with `/`."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of the language's files end."""
        ...

    def excluded_as(self, name: str, at_root: bool) -> str:
        """What a file's name says that it holds in place of a project's code: tests, generated code; else ""."""
        ...

    def is_test(self, path: str) -> bool:
        """Whether a file tests others, so that its calls show typical values."""
        ...

    def module(self, path: str) -> str:
        """The last part of the name under which other files import a file."""
        ...

    def own_packages(self, project: str, path: str) -> frozenset[str]:
        """The first parts of the names under which a project, to which a file belongs, imports itself."""
        ...
