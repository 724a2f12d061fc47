"""croissant.json: what a release holds in the vocabulary of MLCommons, so that dataset tools can find and read it.

Written after the Croissant Format Specification 1.1. The address and the day of publication, which it asks for as
well, are not known when a release is built, and are left out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipeline.release.fields import Field, fields

FILE = "croissant.json"

_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "arrayShape": "cr:arrayShape",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "containedIn": "cr:containedIn",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "description": {"@container": "@language"},
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isArray": "cr:isArray",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "name": {"@container": "@language"},
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification prescribes (its appendix 1), which tools compare word by word."""

_TYPES = (
    (pa.types.is_string, "sc:Text"),
    (pa.types.is_boolean, "sc:Boolean"),
    (pa.types.is_int32, "cr:Int32"),
    (pa.types.is_float64, "cr:Float64"),
)


@dataclass(frozen=True)
class About:
    """What the description says besides the columns: all texts are the card's own."""

    name: str
    title: str
    description: str
    window: str
    licences: Sequence[str]
    keywords: Sequence[str]
    cite_as: str


def croissant(folder: Path, about: About, tracks: Sequence[str]) -> bytes:
    """The description of a release whose tracks lie in `folder` as Parquet."""
    files = [path for track in tracks for path in sorted((folder / track).glob("*.parquet"))]
    found = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.1",
        "name": about.title,
        "alternateName": f"code2bench-{about.name}",
        "description": about.description,
        "version": "1.0.0",
        "license": [f"https://spdx.org/licenses/{name}" for name in about.licences],
        "creator": {"@type": "Organization", "name": "Code2Bench"},
        "citeAs": about.cite_as,
        "temporalCoverage": about.window,
        "inLanguage": "en",
        "isLiveDataset": False,
        "keywords": list(about.keywords),
        "distribution": [_file(folder, path) for path in files],
        "recordSet": [_records(track, _id(folder, path), pq.read_schema(path)) for track in tracks
                      for path in files if path.parent.name == track],
    }  # fmt: skip
    return (json.dumps(found, indent=1, ensure_ascii=False) + "\n").encode()


def _id(folder: Path, path: Path) -> str:
    return path.relative_to(folder).as_posix()


def _file(folder: Path, path: Path) -> dict[str, Any]:
    data = path.read_bytes()
    return {
        "@type": "cr:FileObject",
        "@id": _id(folder, path),
        "name": _id(folder, path),
        "contentUrl": _id(folder, path),
        "contentSize": f"{len(data)} B",
        "encodingFormat": "application/x-parquet",
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def _records(track: str, file: str, schema: pa.Schema) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": track,
        "name": track,
        "description": f"The tasks of the track {track}, one a row.",
        "key": {"@id": f"{track}/task_id"},
        "field": [_column(track, file, field) for field in fields(schema)],
    }


def _column(track: str, file: str, field: Field) -> dict[str, Any]:
    source = {"fileObject": {"@id": file}, "extract": {"column": field.name}}
    found = _named(track, field) | {"source": source}
    if field.parts:
        return found | {"subField": [_part(track, source, part) for part in field.parts]}
    return found


def _part(track: str, source: dict[str, Any], field: Field) -> dict[str, Any]:
    name = field.name.split(".", 1)[1]
    return _named(track, field) | {"source": source | {"transform": {"jsonPath": name}}}


def _named(track: str, field: Field) -> dict[str, Any]:
    found: dict[str, Any] = {
        "@type": "cr:Field",
        "@id": f"{track}/{field.name.replace('.', '/')}",
        "name": field.name.rsplit(".", 1)[-1],
        "description": field.meaning,
    }
    if not field.parts:
        found["dataType"] = next(name for is_it, name in _TYPES if is_it(field.kind))
    if field.repeated:
        found |= {"isArray": True, "arrayShape": "-1"}
    return found
