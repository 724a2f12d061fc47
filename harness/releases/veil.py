"""Hiding answers from crawlers: texts that are no plain text, with a key that everybody may read.

This keeps references and expected answers out of training corpora that are gathered without looking; it is no secret,
since the key stands in the card and in the manifest. Each text is packed (Zstandard, since what comes out can't be
packed any more) and combined (exclusive or) with a stream of bytes that comes from the key and the text's place,
SHAKE-256, so equal texts don't look equal. Before the bytes stands how many the text has.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from harness.errors import UserError

COLUMNS = ("reference", "cases", "strategies")
"""The columns that tell an answer."""
SHOTS = "shots"
"""A column that only some rows have, and that tells answers of others."""
MARK = "veiled:"
_UNPACKED, _PACKED = f"{MARK}1:", f"{MARK}2:"
_LEVEL, _LEVEL_OF_DERIVED = 19, 12
"""How hard texts are packed: those of rows that are made from others are many, and cost a sixteenth for 8% more."""


def veil_key(manifest: Mapping[str, Any]) -> str:
    """The key of a release, by its manifest; empty where its texts are plain."""
    return str(manifest.get("veil", {}).get("key", ""))


def veil(text: str, key: str, place: str, level: int = _LEVEL) -> str:
    """A text that can be read with the key, and with nothing else."""
    data = text.encode("utf-8", "surrogatepass")
    packed = pa.Codec("zstd", level).compress(data, asbytes=True)
    return f"{_PACKED}{len(data)}:{base64.b64encode(_combined(packed, key, place)).decode()}"


def unveil(text: str, key: str, place: str) -> str:
    """The inverse of `veil`; raises `UserError` where the key is another one, or the text is damaged."""
    try:
        size, packed, data = text.removeprefix(_UNPACKED).removeprefix(_PACKED).rpartition(":")
        found = _combined(base64.b64decode(data.encode(), validate=True), key, place)
        if packed:
            found = pa.Codec("zstd").decompress(found, int(size), asbytes=True)
        return found.decode("utf-8", "surrogatepass")
    except (binascii.Error, UnicodeDecodeError, ValueError, OSError, pa.ArrowException):
        raise UserError(f"{place} can't be read with the key of the manifest; get the release again.") from None


def veiled(row: dict[str, Any], key: str) -> dict[str, Any]:
    """A row with its answers veiled."""
    told = [*COLUMNS, *([SHOTS] if SHOTS in row else [])]
    level = _LEVEL_OF_DERIVED if row.get("origin") else _LEVEL
    return row | {name: veil(row[name], key, f"{row['task_id']}/{name}", level) for name in told}


def unveiled(row: dict[str, Any], key: str) -> dict[str, Any]:
    """A row as it was before `veiled`; one that never was stays as it is."""
    hidden = [name for name in (*COLUMNS, SHOTS) if str(row.get(name, "")).startswith(MARK)]
    if hidden and not key:
        raise UserError(f"The answers of {row.get('task_id')} are veiled, and the manifest has no key: get it again.")
    return row | {name: unveil(row[name], key, f"{row['task_id']}/{name}") for name in hidden}


def _combined(data: bytes, key: str, place: str) -> bytes:
    stream = hashlib.shake_256(f"{key}\x1f{place}".encode()).digest(len(data))
    return (int.from_bytes(data) ^ int.from_bytes(stream)).to_bytes(len(data))
