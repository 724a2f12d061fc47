"""Reading many versions of the same files: what they share is read once."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Generic, TypeVar

from pipeline.languages.reading import Definition, Reader

T = TypeVar("T")


@dataclass(frozen=True)
class Part(Generic[T]):
    """A part of a file that was read: what it defines, and whether there was no syntax error in it."""

    defined: tuple[T, ...]
    sound: bool


@dataclass
class Versions(Generic[T]):
    """Reads files part by part; `note` makes out of a definition what is kept of it.

    What a file defines does not depend on what was read before it: a part with a syntax error makes that which it is
    part of be read as a whole.
    """

    reader: Reader
    note: Callable[[Definition], T]
    parts: MutableMapping[int, Part[T]] = field(default_factory=dict)

    def defined_in(self, data: bytes) -> Sequence[T]:
        """What a file defines, in the order of its text; nothing where it can't be read."""
        try:
            return self._read(self.reader.decode(data)).defined
        except (UnicodeDecodeError, RecursionError):
            return ()

    def _read(self, text: str) -> Part[T]:
        inner = self.reader.pieces(text)
        if len(inner) > 1:
            read = [self._part(one) for one in inner]
            if all(part.sound for part in read):
                return Part(tuple(one for part in read for one in part.defined), True)
        return Part(tuple(map(self.note, self.reader.definitions(text))), self.reader.is_sound(text))

    def _part(self, text: str) -> Part[T]:
        key = hash_of(text)
        if key not in self.parts:
            self.parts[key] = self._read(text)
        return self.parts[key]


def hash_of(*texts: str) -> int:
    """A hash of texts, 64 bits with a sign, that never changes."""
    data = "\0".join(texts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big", signed=True)
