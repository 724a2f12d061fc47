"""Files and folders that are no lines of answers, other tools' and our own: what each is, and the cure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

_GZIP = b"\x1f\x8b"
_WHOLE = re.compile(rb"\[\s*(\{|$)|\{$")
"""How a text begins that is one piece of JSON, and no lines."""
_PIECE = "is one piece of JSON: write each answer on a line of its own, as `jq -c '.[]'` does with a list"


def is_whole(line: bytes) -> bool:
    """Whether a file that begins with this line is one piece of JSON, which goes on in the next lines."""
    return _WHOLE.match(line.strip()) is not None


def of_text(text: bytes, ids: Collection[str]) -> str:
    """What a file is that begins with this line, or of which this is all, with the cure; "" where it may be answers.

    `ids` are those of the tasks that answers are wanted to.
    """
    if b"\0" in text or text.startswith(_GZIP):
        return "is no text in UTF-8: unpack it where it is packed, or save it as JSON lines in UTF-8"
    try:
        value: Any = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    found = _of_table(value, ids) if isinstance(value, dict) else ""
    return found or (_PIECE if is_whole(text) else "")


def of_folder(folder: Path) -> str:
    """What a folder is, with the cure."""
    logs = _in_output(folder, "samples_code2bench*.jsonl")
    if logs:
        date = max(_date(log) for log in logs)
        newest = sorted(log for log in logs if _date(log) == date)
        if len(newest) == 1:
            return f"is a folder that lm-eval has written: give its log of answers {newest[0]}"
        together = newest[0].parent / f"samples_code2bench*_{date}.jsonl"
        return f"is a folder that lm-eval has written: give what `cat {together} > answers.jsonl` makes of its logs"
    if _in_output(folder, "results_*.json"):
        return "is a folder that lm-eval has written, without answers: run lm-eval again with --log_samples"
    return "can't be read (it is a folder); give a file of answers as JSON lines"


def _of_table(value: Mapping[str, Any], ids: Collection[str]) -> str:
    if isinstance(value.get("run"), dict):
        return "is a file of results: give the answers that were judged, or compare results by `code2bench compare`"
    if "task_id" in value:
        return ""
    if isinstance(value.get("eval"), dict):
        return (
            "is a file of results of EvalPlus or BigCodeBench: give the answers that were judged, or take them out of "
            "it by `jq -c '.eval[][] | {task_id, solution}'`")
    if isinstance(value.get("results"), dict) and ("configs" in value or "config" in value):
        return "is lm-eval's table of results: give its logs of answers, samples_*.jsonl, which --log_samples writes"
    if any(key in ids or "/" in key for key in value):
        several = "[]" if any(isinstance(one, list) for one in value.values()) else ""
        return (
            "is a dictionary of answers by task: write each on a line of its own, as "
            f"`jq -c 'to_entries[] | {{task_id: .key, solution: .value{several}}}'` does")
    return ""


def _in_output(folder: Path, pattern: str) -> list[Path]:
    """Files where lm-eval puts them: in a folder of the model's name, unless that is the folder."""
    return [*folder.glob(pattern), *folder.glob(f"*/{pattern}")]


def _date(log: Path) -> str:
    """When lm-eval wrote a log, as the end of its name says."""
    return log.stem.rpartition("_")[2]
