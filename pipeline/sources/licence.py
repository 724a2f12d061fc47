"""Licences: what a project and a file say, as SPDX expressions, and which of them are permissive."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from license_expression import ExpressionError, Licensing, get_spdx_licensing

PERMISSIVE = frozenset(
    "0BSD AFL-3.0 Apache-2.0 BlueOak-1.0.0 BSD-1-Clause BSD-2-Clause BSD-2-Clause-Patent BSD-3-Clause "
    "BSD-3-Clause-Clear BSL-1.0 CC0-1.0 CNRI-Python ECL-2.0 HPND ISC MIT MIT-0 MIT-CMU MIT-Modern-Variant NCSA "
    "PostgreSQL PSF-2.0 Python-2.0 Python-2.0.1 TCL Unicode-3.0 Unicode-DFS-2016 Unlicense UPL-1.0 W3C WTFPL Xnet "
    "ZPL-2.1 Zlib".split()
)
"""SPDX identifiers of licences that let anybody use, change and pass on the code, with no duty but to keep a notice."""

_CLASSIFIERS = {
    "Academic Free License (AFL)": "AFL-3.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD",
    "Boost Software License 1.0 (BSL-1.0)": "BSL-1.0",
    "CC0 1.0 Universal (CC0 1.0) Public Domain Dedication": "CC0-1.0",
    "Historical Permission Notice and Disclaimer (HPND)": "HPND",
    "ISC License (ISCL)": "ISC",
    "MIT License": "MIT",
    "MIT No Attribution License (MIT-0)": "MIT-0",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The Unlicense (Unlicense)": "Unlicense",
    "Universal Permissive License (UPL)": "UPL-1.0",
    "University of Illinois/NCSA Open Source License": "NCSA",
    "Zero-Clause BSD (0BSD)": "0BSD",
    "Zope Public License": "ZPL-2.1",
    "zlib/libpng License": "Zlib",
}

_NAMES = (
    (r"(the )?mit([ -]?licen[sc]e)?( \(mit\))?|expat( licen[sc]e)?", "MIT"),
    (
        r"(the )?apache([ -]?(software|public))?([ -]?licen[sc]e)?,?( |-)?(version|v)?[ .]?2(\.0)?( licen[sc]e)?",
        "Apache-2.0",
    ),
    (r"asl ?2(\.0)?|apache2", "Apache-2.0"),
    (r"(the )?(new|modified|revised|3-clause|three-clause)[ -]bsd([ -]licen[sc]e)?", "BSD-3-Clause"),
    (r"bsd[ -]?\(?3([ -]clause)?\)?( licen[sc]e)?( \(.*\))?", "BSD-3-Clause"),
    (r"(the )?(simplified|2-clause|freebsd)[ -]bsd([ -]licen[sc]e)?", "BSD-2-Clause"),
    (r"bsd[ -]?\(?2([ -]clause)?\)?( licen[sc]e)?", "BSD-2-Clause"),
    (r"(the )?bsd([ -](style )?licen[sc]e)?", "BSD"),
    (r"isc( licen[sc]e)?( \(iscl\))?", "ISC"),
    (r"(the )?unlicen[sc]e", "Unlicense"),
    (r"psf(l|-2\.0)?|python software foundation licen[sc]e", "PSF-2.0"),
    (r"mpl[ -]?2(\.0)?|mozilla public licen[sc]e,? ?(version |v)?2\.0", "MPL-2.0"),
    (r".*\bagpl.*|.*affero.*", "AGPL-3.0-only"),
    (r".*\blgpl.*|.*lesser general public.*", "LGPL-3.0-only"),
    (r".*\bgpl.*|.*general public licen[sc]e.*", "GPL-3.0-only"),
)

_TEXTS = (
    (r"gnu affero general public license,?( \(agpl\))?( version| v\d| as published)", "AGPL-3.0-only"),
    (r"gnu (lesser|library) general public license,?( \(lgpl\))?( version| v\d| as published)", "LGPL-3.0-only"),
    (r"gnu general public license,?( \(gpl\))?( version| v\d| as published)", "GPL-3.0-only"),
    (r"mozilla public license,? ?(version|v\.)? ?2\.0", "MPL-2.0"),
    (r"eclipse public license", "EPL-2.0"),
    (r"european union public licen[sc]e", "EUPL-1.2"),
    (r"business source license", "BUSL-1.1"),
    (r"server side public license", "SSPL-1.0"),
    (r"creative commons attribution-?\s?(noncommercial|sharealike|noderiv)", "CC-BY-NC-SA-4.0"),
    (r"apache license,? version 2\.0", "Apache-2.0"),
    (r"permission is hereby granted, free of charge, to any person obtaining a copy", "MIT"),
    (r"permission to use, copy, modify, and(/or)? distribute this software for any purpose", "ISC"),
    (r"redistribution and use in source and binary forms.*neither the names?", "BSD-3-Clause"),
    (r"redistribution and use in source and binary forms", "BSD-2-Clause"),
    (r"this is free and unencumbered software released into the public domain", "Unlicense"),
    (r"python software foundation license", "PSF-2.0"),
    (r"boost software license", "BSL-1.0"),
    (r"creative commons( legal code)? ?cc0 1\.0", "CC0-1.0"),
    (r"this software is provided 'as-is', without any express or implied warranty", "Zlib"),
)
"""What a licence's text says, those that bind most first: a text with two licences counts as the stricter one."""

_SPDX_TAG = re.compile(r"SPDX-License-Identifier:[ \t]*([^\r\n]+)")
_PROPRIETARY = re.compile(
    r"\b((proprietary and confidential|confidential and proprietary)"
    r"|all rights reserved\W+(unauthori[sz]ed|proprietary))",
    re.I,
)
_FILE_NAMES = re.compile(r"^(un)?(licen[sc]e|copying|notice|copyright)([-_.].*)?$", re.I)
_HEADER = 4000
"""How much of a file counts as its header, in characters."""


@cache
def _licensing() -> Licensing:
    return get_spdx_licensing()


def normalise(text: str) -> str:
    """A licence's name or expression in SPDX; "" when nobody can say which. "BSD" stands for an unknown variant."""
    text = " ".join(text.split()).strip("\"'. ")
    if not text or len(text) > 200:
        return ""
    try:
        return str(_licensing().parse(text, validate=True))
    except ExpressionError:
        return next((spdx for pattern, spdx in _NAMES if re.fullmatch(pattern, text, re.I)), "")


def is_permissive(expression: str) -> bool:
    """Whether an SPDX expression leaves a choice of permissive licences alone."""
    if not expression:
        return False
    try:
        return _permits(_licensing().parse(expression))
    except ExpressionError:
        return False


def _permits(node: Any) -> bool:
    if isinstance(node, _licensing().OR):
        return any(_permits(arg) for arg in node.args)
    if isinstance(node, _licensing().AND):
        return all(_permits(arg) for arg in node.args)
    return str(getattr(node, "license_symbol", node)) in PERMISSIVE


def of_project(info: Mapping[str, Any]) -> tuple[str, str]:
    """The licence that a registry's JSON gives for a project, and the field that says so; ("", "") for none.

    The fields count in the order of their precision: the SPDX expression, the classifiers, the free text.
    """
    for field, said in (
        ("license_expression", normalise(str(info.get("license_expression") or ""))),
        ("classifiers", _of_classifiers(info.get("classifiers") or ())),
        ("license", normalise(str(info.get("license") or "")) or of_text(str(info.get("license") or ""))),
    ):
        if said and said != "BSD":
            return said, field
        if said == "BSD" and (exact := normalise(str(info.get("license") or ""))).startswith("BSD-"):
            return exact, "license"
    return "", ""


def _of_classifiers(classifiers: Sequence[str]) -> str:
    prefix = "License :: OSI Approved :: "
    names = [c.removeprefix(prefix).removeprefix("License :: ") for c in classifiers if c.startswith("License ::")]
    names = [name for name in names if name != "OSI Approved"]
    found = sorted({_CLASSIFIERS.get(name) or normalise(name) or "LicenseRef-Other" for name in names})
    return " AND ".join(found)


def of_text(text: str) -> str:
    """The licence that a text is or names; "" when it is none that is known here."""
    flat = " ".join(text.lower().split())
    return next((identifier for pattern, identifier in _TEXTS if re.search(pattern, flat)), "")


def of_header(text: str) -> str:
    """The licence that a file's first lines name; "" when they name none.

    An SPDX tag counts most, but a `LicenseRef-` names only what is written elsewhere: in these lines, it may be.
    "LicenseRef-Unknown" stands for a tag that cannot be understood.
    """
    head = text[:_HEADER]
    found = _SPDX_TAG.search(head)
    tag = re.sub(r"[*/#\s-]+$", "", found.group(1)) if found else ""
    if found and ((said := normalise(tag)) or not re.fullmatch(r"LicenseRef-[\w.-]+", tag)):
        return said or "LicenseRef-Unknown"
    comments = " ".join(line.strip().lstrip("#*/ ") for line in _opening(head))
    if _PROPRIETARY.search(comments):
        return "LicenseRef-Proprietary"
    return of_text(comments) or ("LicenseRef-Unknown" if tag else "")


def _opening(head: str) -> Iterable[str]:
    """The lines before the first code: comments and the text of a leading docstring."""
    quote = ""
    for line in head.splitlines():
        plain = line.strip()
        if quote:
            yield line
            quote = "" if quote in plain else quote
        elif match := re.match(r"[rRuU]?(\"\"\"|''')", plain):
            yield line
            quote = "" if match.group(1) in plain[match.end():] else match.group(1)
        elif not plain or plain.startswith("#"):
            yield line
        else:
            return


def is_licence_file(path: str) -> bool:
    """Whether a file is a licence or a notice of the project as a whole, by its name and place."""
    place = PurePosixPath(path)
    named = _FILE_NAMES.match(place.name) and place.suffix.lower() not in (".py", ".pyi", ".js", ".html", ".json")
    folders = [part.lower() for part in place.parts[:-1]]
    return bool(named and not folders) or folders in (["licenses"], ["license"], ["licences"])


def of_files(texts: Mapping[str, str], chosen: str = "") -> tuple[str, str]:
    """The licence of a project by its licence files, and the files that say so; ("", "") when none does.

    Files at the root that carry different licences leave a choice only where one of them says so, so all must hold;
    but those of licences that `chosen`, what the project itself says, names in a permissive choice bind nobody.
    """
    offered = {key.split("-")[0] for key in _licensing().license_keys(chosen)} if is_permissive(chosen) else set()
    found: dict[str, str] = {}
    for path in sorted(texts):
        if "/" in path or path.lower().startswith(("notice", "copyright")) or not (said := of_text(texts[path])):
            continue
        if is_permissive(said) or said.split("-")[0] not in offered:
            found.setdefault(said, path)
    return " AND ".join(sorted(found)), ", ".join(found[key] for key in sorted(found))
