"""Prompts: Markdown files with places for material, known by the hash of their text.

A file has a system part and a user part, with a line `=====` between them. Material from outside (code, descriptions,
answers) is put in by the filter `material`, which encloses it in tags that it can't contain.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from harness.records import digest
from pipeline.llm import Message

FOLDER = Path(__file__).parent / "prompts"
_CUT = "\n=====\n"


@dataclass(frozen=True)
class Prompt:
    """A prompt with its material: the messages to send, and `name`, the file's with the hash of its text."""

    name: str
    messages: tuple[Message, ...]


def render(name: str, **values: Any) -> Prompt:
    """The prompt of a file with its places filled; a place without a value is an error of ours."""
    text = _environment().get_template(f"{name}.md").render(**values)
    system, _, user = text.partition(_CUT)
    parts = ({"role": "system", "content": system.strip()}, {"role": "user", "content": user.strip()})
    return Prompt(f"{name}@{version(name)}", tuple(part for part in parts if part["content"]))


def further(messages: tuple[Message, ...], answer: str, name: str, **values: Any) -> tuple[Message, ...]:
    """A conversation that goes on: the model's answer, then the user's part of another prompt."""
    return (*messages, {"role": "assistant", "content": answer}, *render(name, **values).messages)


@cache
def version(name: str) -> str:
    """The hash of a prompt's text and of what all prompts share (8 hex digits)."""
    shared = sorted(FOLDER.glob("_*.md"))
    return digest(*(path.read_text("utf-8") for path in (FOLDER / f"{name}.md", *shared)))[:8]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, keep_trailing_newline=True, trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["material"] = material
    return environment


def material(text: str, kind: str) -> str:
    """A text between tags with a number that is made from it and does not stand in it: no text can contain its end."""
    number = digest(kind, text)[:12]
    while number in text:
        number = digest(number)[:12]
    tag = f"{kind}-{number}"
    return f"<{tag}>\n{text}\n</{tag}>"
