"""Where the models of a derived release are asked: by a file that describes them, and again by the answers it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.records import digest
from harness.releases.dataset import cache_folder
from pipeline import store
from pipeline.config import LlmConfig, ModelConfig, what_of
from pipeline.config_file import load_models
from pipeline.llm import Exchange
from pipeline.llm.desk import Office
from pipeline.release.asked import ANSWERS


def office_of(model: str, models: Path | None, command: str) -> Office | None:
    """Where the model is asked that a file describes; raises `UserError` where only one of the two is given."""
    if bool(model) != bool(models):
        raise UserError("A model is asked that a file describes: give both --model NAME and --models FILE, or neither.")
    if models is None:
        return None
    known, limits = load_models(models)
    folder = cache_folder().absolute() / "llm"
    account = folder / "accounts" / f"{command}-{digest(str(models.resolve()))[:12]}.json"
    return Office(limits, tuple(sorted(known.items())), folder / "answers", account)


def how_asked(model: str, office: Office | None) -> dict[str, Any]:
    """What a manifest says of how a model was asked, nothing where none is; raises `UserError` for one not there."""
    if not model:
        return {}
    if office is None or model not in dict(office.models):
        raise UserError(f"There is no model {model!r}: describe it under [models.{model}].")
    return {"model": what_of(office.model(model)), "llm": what_of(office.limits)}


def office_again(model: str, said: dict[str, Any], here: Path, place: Path) -> Office | None:
    """Where a model is asked whose answers the release that lies `here` holds, and nobody else."""
    if not model:
        return None
    asked = said["asked"]
    models = ((model, ModelConfig(**asked["model"])),)
    office = Office(LlmConfig(**asked["llm"]), models, place / "answers", place / "asked.json", offline=True)
    if (here / ANSWERS).is_file():
        office.cache.take_over(store.read(here / ANSWERS, Exchange))
    return office
