"""The subject under test: whose answers are judged, and how they were drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from harness.errors import UserError

_SETTING = re.compile(r"(?P<name>[A-Za-z]\w*)=(?P<value>[^\s,=](?:[^,=]*[^\s,=])?)")


@dataclass(frozen=True)
class Subject:
    """A model by its name and revision, with the settings of its sampling as `name=value`, in order of names."""

    model: str = ""
    revision: str = ""
    sampling: str = ""


NOBODY = Subject()
"""The subject where nobody has said whose answers they are."""


def subject(model: str = "", revision: str = "", sampling: Iterable[str] = ()) -> Subject:
    """The subject that a user names; raises `UserError` for what says nothing, or says one setting twice."""
    settings: dict[str, str] = {}
    for text in sampling:
        found = _SETTING.fullmatch(text)
        if found is None:
            raise UserError(f"--sampling takes NAME=VALUE such as temperature=0.8, not {text!r}.")
        if found["name"] in settings:
            raise UserError(f"--sampling says {found['name']} twice; say it once.")
        settings[found["name"]] = found["value"]
    if (revision or settings) and not model:
        raise UserError("--revision and --sampling say more about a model: name it by --model.")
    return Subject(model.strip(), revision.strip(), written(settings))


def written(settings: Mapping[str, Any]) -> str:
    """Settings as text, the same for the same settings."""
    return ", ".join(f"{name}={settings[name]}" for name in sorted(settings))


def of_configuration(model_args: Mapping[str, Any], settings: Mapping[str, Any]) -> Subject:
    """The subject in the configuration of a harness for models: its arguments for the model, and those of generation.

    The model is `pretrained` or `model`, as all kinds of models there call it; "" where neither is given.
    """
    model = str(model_args.get("pretrained") or model_args.get("model") or "")
    drawn = {name: value for name, value in settings.items() if name != "until" and value is not None}
    return Subject(model, str(model_args.get("revision") or ""), written(drawn))
