"""Answers as records: the JSON in a model's text, checked against the type that was asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

T = TypeVar("T", bound=BaseModel)

MAX_CHARS = 200_000
"""Characters of an answer that are looked at."""
MAX_NAME = 100
"""Characters of a field's name that are shown; the model has made it up."""
_REASONING = re.compile(r"(?s)\A.*</think(?:ing)?>")
_SPACE = re.compile(r"\s+")
_FENCED = re.compile(r"(?s)```[\w-]*\n(.*?)```")


class Answer(BaseModel):
    """What a model has to give: these fields and no others, of these types and no others."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Misfit(Exception):
    """A text that is no such answer; the message says why, for whoever wrote it."""


def schema_of(kind: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a type, in the form that servers with structured answers take."""
    schema = {key: value for key, value in kind.model_json_schema().items() if key != "description"}
    return {"name": kind.__name__, "strict": True, "schema": schema}


def read(text: str, kind: type[T], shown: str = "") -> T:
    """The answer in a text: the whole of it, or the one JSON object in it; raises `Misfit`.

    What stands in `shown`, the question with its material and examples, is a quotation and no answer.
    """
    if len(text) > MAX_CHARS:
        raise Misfit(f"The answer has {len(text)} characters, more than {MAX_CHARS}.")
    found = [(part, value) for part, value in _objects(text) if isinstance(value, dict)]
    if not found:
        raise Misfit("The answer holds no JSON object that can be read.")
    own = [value for part, value in found if _SPACE.sub("", part) not in _SPACE.sub("", shown)]
    if not own:
        raise Misfit("The JSON object is copied from the question: give an answer of your own.")
    fitting, faults = [], []
    for value in own:
        try:
            fitting.append(kind.model_validate(value))
        except ValidationError as error:
            faults.append(_told(error))
    if len({one.model_dump_json() for one in fitting}) > 1:
        raise Misfit("The answer holds several JSON objects that differ: give one.")
    if not fitting:
        raise Misfit(faults[0])
    return fitting[0]


def _objects(text: str) -> Iterator[tuple[str, Any]]:
    """The JSON that a text may stand for, with its values: itself, its fenced parts, what is between outer braces."""
    whole, text = text, _REASONING.sub("", text)
    start, end = text.find("{"), text.rfind("}")
    for choices in ([whole], [text], _FENCED.findall(text), [text[start : end + 1]] if 0 <= start < end else []):
        values = [(part, value) for part in choices if (value := _loaded(part)) is not None]
        if values:
            yield from values
            return


def _loaded(text: str) -> Any:
    try:
        # Models put line breaks into texts as they are; that is not JSON, but clear.
        return json.loads(text.strip(), strict=False, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object that says everything once: of two values for a key nobody knows which one is meant."""
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return dict(pairs)


def _told(error: ValidationError) -> str:
    parts = []
    for one in error.errors()[:5]:
        where = ".".join(str(part) for part in one["loc"])[:MAX_NAME]
        parts.append(f"{where or 'the object'}: {one['msg']}")
    return f"The JSON object does not fit the schema: {'; '.join(parts)}."
