"""What is told on the terminal: text from outside comes out escaped, so that no terminal acts on it."""

from __future__ import annotations

import sys

MAX_CHARS, TAIL_CHARS = 300, 40
"""Characters of what is shown of a long text, and how many of them come from its end."""


def printable(text: str) -> str:
    """The text on one line, with escapes for whatever a terminal would act on."""
    return "".join(c if c.isprintable() else _escaped(c) for c in text)


def say(text: str, err: bool = False) -> None:
    """Print lines; all but their ends and tabs is made printable, also where the terminal knows few characters.

    JSON in ASCII comes out as JSON: of what is escaped here it holds DEL alone, whose escape is that of JSON too.
    """
    import click  # here alone: exported tests bring this module along, and need no more of it than `printable`

    shown = "".join(c if c in "\n\t" or c.isprintable() else _escaped(c) for c in text)
    encoding = getattr(sys.stderr if err else sys.stdout, "encoding", None) or "utf-8"
    click.echo(shown.encode(encoding, "backslashreplace").decode(encoding), err=err)


def shortened(text: str) -> str:
    """A long text without its middle; the gap says how much is left out."""
    if len(text) <= MAX_CHARS:
        return text
    left_out = len(text) - MAX_CHARS + TAIL_CHARS
    return f"{text[:MAX_CHARS - TAIL_CHARS]} [… {left_out} characters left out …] {text[-TAIL_CHARS:]}"


def _escaped(character: str) -> str:
    return "\\u007f" if character == "\x7f" else character.encode("unicode_escape").decode()
