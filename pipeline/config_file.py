"""Reading a `release.toml`: unknown keys are refused by name, and what contradicts itself in a sentence."""

from __future__ import annotations

import math
import re
import tomllib
import typing
from dataclasses import MISSING, fields, is_dataclass
from datetime import date
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline.config import LANGUAGES, STRUCTURED, LlmConfig, ModelConfig, ReleaseConfig, WorthConfig, models_named

_URL = r"https?://[^/@\s?#]+(/[^@\s?#]*)?"


def load_config(path: Path) -> ReleaseConfig:
    """Read a `release.toml`; each thing that is wrong in it is told in one sentence that names the key."""
    if not path.is_file():
        what = f"{path} is a folder" if path.is_dir() else f"There is no configuration {path}"
        raise UserError(f"{what}: give the path of one, such as data/releases/demo.toml.")
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no valid TOML ({error}): correct it there.") from error
    config = _build(ReleaseConfig, {**raw, "path": path}, path.name)
    _check(config)
    return typing.cast(ReleaseConfig, config)


def lock_path(config: ReleaseConfig) -> Path:
    """The lock beside the configuration, which makes its build repeatable."""
    return config.path.with_suffix(".lock")


def load_models(path: Path) -> tuple[dict[str, ModelConfig], LlmConfig]:
    """Read the tables `[models.NAME]` and `[llm]` of a file alone; raises `UserError`."""
    try:
        raw = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(f"{path} can't be read as TOML ({error}): give a file with [models.NAME].") from None
    models = _value(raw.get("models", {}), dict[str, ModelConfig], f"{path.name}: models")
    for name, model in models.items():
        _check_model(model, f"{path.name}: models.{name}")
    return models, _value(raw.get("llm", {}), LlmConfig, f"{path.name}: llm")


def _build(record_type: Any, raw: dict[str, Any], where: str) -> Any:
    hints = typing.get_type_hints(record_type)
    known = {f.name: f for f in fields(record_type)}
    for key in raw:
        if key not in known:
            near = get_close_matches(key, known, 1)
            cure = f"did you mean {near[0]!r}?" if near else f"it knows {', '.join(k for k in known if k != 'path')}."
            raise UserError(f"{where} has an unknown key {key!r}: {cure}")
    missing = [n for n, f in known.items() if n not in raw and f.default is MISSING and f.default_factory is MISSING]
    if missing:
        raise UserError(f"{where} lacks {missing[0]!r}: add it.")
    return record_type(**{key: _value(value, hints[key], f"{where}: {key}") for key, value in raw.items()})


def _value(value: Any, wanted: Any, where: str) -> Any:
    if is_dataclass(wanted):
        if not isinstance(value, dict):
            raise UserError(f"{where} must be a table, but it is {value!r}.")
        return _build(wanted, value, where)
    if typing.get_origin(wanted) is dict:
        if not isinstance(value, dict):
            raise UserError(f"{where} must hold a table for each name, but it is {value!r}.")
        item = typing.get_args(wanted)[1]
        return {name: _value(one, item, f"{where}.{name}") for name, one in value.items()}
    if typing.get_origin(wanted) is tuple:
        if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
            raise UserError(f"{where} must be a list of strings, but it is {value!r}.")
        return tuple(value)
    if wanted is float and type(value) is int:
        return float(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise UserError(f"{where} must be a number that has an end, but it is {value!r}.")
    if wanted is str and isinstance(value, date):
        return value.isoformat()
    if not isinstance(value, wanted) or (wanted is int and isinstance(value, bool)):
        raise UserError(f"{where} must be of type {wanted.__name__}, but it is {value!r}.")
    return value


def _check(config: ReleaseConfig) -> None:
    where = config.path.name
    if config.sources.source not in ("", "github"):
        raise UserError(f"{where}: sources.source must be \"github\", or left out where lists are given.")
    if bool(config.sources.lists) == bool(config.sources.source):
        lists = "lists in [sources], such as [\"../sources/pypi.toml\"]"
        both = "names its sources twice" if config.sources.lists else "names no sources"
        raise UserError(f"{where} {both}: set either {lists}, or source = \"github\".")
    if not config.name.replace("-", "").replace(".", "").isalnum():
        raise UserError(f"{where}: name must be letters, digits, '-' and '.', but it is {config.name!r}.")
    if bool(config.window.after) == bool(config.window.models):
        raise UserError(f"{where}: [window] takes either after (a date) or models (a list of names), one of them.")
    bounds = {"after": config.window.after, "until": config.window.until}
    days = [_day(value, f"{where}: window.{key}") for key, value in bounds.items() if value]
    if not config.window.until or days != sorted(set(days)):
        raise UserError(f"{where}: the window is impossible, until must be a date later than after.")
    if config.screen.min_complexity > config.screen.max_complexity:
        raise UserError(f"{where}: screen.min_complexity is larger than screen.max_complexity.")
    if config.github.size < 1 or config.github.active_months < 1 or config.github.min_stars < 0:
        raise UserError(f"{where}: github.size and active_months must be at least 1, min_stars at least 0.")
    if not re.fullmatch(_URL, config.github.address):
        raise UserError(f"{where}: github.address must be a URL without user or query, such as https://HOST/api/v3.")
    if not re.fullmatch(r"[\w+# .-]+", config.github.language):
        raise UserError(f"{where}: github.language must be one that GitHub knows, such as Python.")
    for key in ("max_repository_bytes", "fetches", "fetch_seconds", "stall_seconds", "fetch_attempts"):
        if getattr(config.mine, key) <= 0:
            raise UserError(f"{where}: mine.{key} must be above 0.")
    if config.mine.baseline_archives < 2 or config.mine.dating_archives < 0:
        raise UserError(f"{where}: mine.baseline_archives must be at least 2 (the highest version, the latest "
                        "upload), and dating_archives at least 0.")
    _check_models(config, where)
    for section in ("sample", "package"):
        _check_worth(getattr(config, section).worth, f"{where}: {section}.worth")
    shares = "sample.max_share package.max_domain_share package.max_flagged suite.max_raising suite.max_same_answer"
    for name in shares.split():
        section, key = name.split(".")
        if not 0 < getattr(getattr(config, section), key) <= 1:
            raise UserError(f"{where}: {name} must be above 0 and at most 1.")
    if not 0 <= config.sample.helpers_share <= 1:
        raise UserError(f"{where}: sample.helpers_share must be at least 0 and at most 1.")


def _check_worth(worth: WorthConfig, where: str) -> None:
    if min(vars(worth).values()) < 0 or worth.helpers > 1:
        raise UserError(f"{where}: its numbers must be at least 0, and helpers at most 1.")
    if not worth.complexity + worth.length + worth.loops + worth.variety:
        raise UserError(f"{where}: one of complexity, length, loops and variety must be above 0.")


def _check_models(config: ReleaseConfig, where: str) -> None:
    for name, model in config.models.items():
        _check_model(model, f"{where}: models.{name}")
    for stage in ("judge", "suite", "instruct", "vary", "evolve"):
        for name in models_named(getattr(config, stage)):
            if name not in config.models:
                raise UserError(f"{where}: [{stage}] names the model {name!r}: describe it under [models.{name}].")
    _check_asking(config, where)


def _check_model(model: ModelConfig, here: str) -> None:
    if not re.fullmatch(_URL, model.base_url):
        raise UserError(f"{here}.base_url must be a URL without user or query, such as http://HOST:8000/v1.")
    if model.key and not re.fullmatch(r"[A-Z][A-Z0-9_]*", model.key):
        raise UserError(f"{here}.key must be the name of an environment variable, such as OPENAI_API_KEY; "
                        "never the key itself, which would be published.")
    if model.structured not in STRUCTURED:
        raise UserError(f"{here}.structured must be one of {', '.join(STRUCTURED)}.")
    if min(model.max_answer_tokens, model.attempts, model.concurrency, model.seconds) <= 0:
        raise UserError(f"{here}: max_answer_tokens, attempts, concurrency and seconds must be above 0.")
    if min(model.input_price, model.output_price, model.requests_per_minute, model.tokens_per_minute) < 0:
        raise UserError(f"{here}: prices and limits per minute must be at least 0.")


def _check_asking(config: ReleaseConfig, where: str) -> None:
    instruct, llm = config.instruct, config.llm
    if len(set(config.judge.models)) < len(config.judge.models):
        raise UserError(f"{where}: judge.models names a model twice, whose voice would count twice.")
    if min(llm.budget_tokens, llm.budget_dollars, llm.repairs) < 0:
        raise UserError(f"{where}: budgets and repairs under [llm] must be at least 0.")
    if llm.budget_dollars and not any(m.input_price or m.output_price for m in config.models.values()):
        raise UserError(f"{where}: llm.budget_dollars needs prices: set input_price and output_price of the models.")
    if instruct.solver_attempts < 1 or not 0 <= instruct.solver_temperature <= 2 or instruct.rephrasings < 0:
        raise UserError(f"{where}: instruct.solver_attempts must be at least 1, solver_temperature from 0 to 2, and "
                        "rephrasings at least 0.")
    for language in instruct.languages:
        if language not in LANGUAGES:
            raise UserError(f"{where}: instruct.languages knows {', '.join(LANGUAGES)}, but not {language!r}.")
    further = [key for key in ("solvers", "levels", "rephrasings", "languages") if getattr(instruct, key)]
    if further and not instruct.model:
        raise UserError(f"{where}: instruct.{further[0]} needs a model that writes: set model in [instruct].")
    if instruct.rephrasings and not instruct.levels:
        raise UserError(f"{where}: instruct.rephrasings are of prompt levels: set levels = true in [instruct].")


def _day(text: str, where: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise UserError(f"{where} must be a date such as 2026-05-01, but it is {text!r}.") from None
