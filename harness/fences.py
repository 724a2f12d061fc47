"""From the text of a model's answer to the blocks of it that may be code: reasoning and Markdown fences."""

from __future__ import annotations

import re
import textwrap
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<indent>[ \t]*)(?P<marks>`{3,}|~{3,})[ \t]*(?P<language>[\w+#.-]*)[^`~]*$")
_REASONING = ("think", "thinking", "thought", "reasoning")
_PYTHON = frozenset({"", "python", "py", "python3", "py3", "ipython", "ipython3", "pycon", "code"})


@dataclass(frozen=True)
class Block:
    """A fenced part of an answer. `closed` says whether the closing fence is there."""

    language: str
    code: str
    closed: bool

    @property
    def python(self) -> bool:
        """Whether the language tag, if any, says Python."""
        return self.language.lower() in _PYTHON


def after_reasoning(text: str) -> tuple[str, bool]:
    """The text behind the reasoning, and whether the reasoning ever ended (True when there is none).

    A closing tag counts without its opening one, because some chat templates put that into the prompt.
    """
    ends = [text.rfind(f"</{tag}>") + len(tag) + 3 for tag in _REASONING if f"</{tag}>" in text]
    rest = text[max(ends):] if ends else text
    starts = [rest.find(f"<{tag}>") for tag in _REASONING if rest.lstrip().startswith(f"<{tag}>")]
    return rest, not starts


def fenced_blocks(text: str) -> list[Block]:
    """The fenced blocks in order, an unclosed one included.

    A fence that is indented four columns more than the opening one belongs to the code (a docstring's example); one
    with a language tag opens a new block even where the last one was never closed.
    """
    blocks: list[Block] = []
    opening: re.Match[str] | None = None
    lines: list[str] = []
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if opening is None:
            if fence:
                opening, lines = fence, []
        elif fence and _ends(fence, opening):
            blocks.append(_block(opening, lines, closed=True))
            opening, lines = (fence, []) if fence["language"] else (None, [])
        else:
            lines.append(line)
    if opening is not None:
        blocks.append(_block(opening, lines, closed=False))
    return [block for block in blocks if block.code.strip()]


def _ends(fence: re.Match[str], opening: re.Match[str]) -> bool:
    same = fence["marks"][0] == opening["marks"][0] and len(fence["marks"]) >= len(opening["marks"])
    return same and len(fence["indent"].expandtabs()) <= len(opening["indent"].expandtabs()) + 3


def _block(opening: re.Match[str], lines: list[str], closed: bool) -> Block:
    return Block(opening["language"], textwrap.dedent("\n".join(lines)).strip("\n") + "\n", closed)
