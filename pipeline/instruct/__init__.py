"""Writing what is asked: a stub with a docstring, made from what the author wrote and what analysis knows.

`rules` writes without a language model, from `notes` (what the author left out and analysis knows) and `examples`
(frozen cases that show many branches). `gate` decides whether the result is enough to implement the function, by the
rules of `told` and `wording`; `leaks` whether it gives the body away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pipeline.languages.python.facts import Facts
from pipeline.records import Suite


@dataclass(frozen=True)
class Draft:
    """An instruction in parts, before it is judged.

    `text` is all of it: the imports, the signature and the docstring. `author` is what the function's author wrote,
    `notes` the sentences that analysis adds, those on types first, then `behaviour`; `told` are the conditions (their
    sources) and operations that the notes tell; `examples` are the indices of the cases that are shown. `outline` are
    the steps of the whole body, where it is told step by step.
    """

    signature: str
    imports: tuple[str, ...]
    author: str
    notes: tuple[str, ...]
    behaviour: tuple[str, ...]
    told: frozenset[str]
    examples: tuple[int, ...]
    shown: str
    text: str
    outline: tuple[str, ...] = ()


class Writer(Protocol):
    """Somebody who writes instructions, always the same one for the same suite."""

    @property
    def name(self) -> str:
        """What `Instruction.author` and the published row's `instructed_by` say."""
        ...

    def write(self, suite: Suite, facts: Facts | None = None) -> Draft:
        """An instruction for the suite's function; `facts` hold what of its docstring may be told, by default all."""
        ...
