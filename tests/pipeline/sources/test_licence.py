"""Licences as projects and files name them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pipeline.records import LockedSource, Rejection
from pipeline.sources import licence
from pipeline.sources.adapters import licence_texts
from pipeline.stage import Context
from tests.pipeline.sources.conftest import MIT, Server, sdist

NAMES = {
    "MIT": "MIT", "MIT License": "MIT", "The MIT License (MIT)": "MIT", "Apache 2.0": "Apache-2.0",
    "Apache License, Version 2.0": "Apache-2.0", "Apache Software License 2.0": "Apache-2.0", "ASL 2": "Apache-2.0",
    "BSD": "BSD", "BSD-3-Clause": "BSD-3-Clause", "BSD 3-Clause License": "BSD-3-Clause", "new BSD": "BSD-3-Clause",
    "3-Clause BSD": "BSD-3-Clause", "Simplified BSD": "BSD-2-Clause", "ISC": "ISC", "PSF": "PSF-2.0",
    "Unlicense": "Unlicense", "MIT OR Apache-2.0": "MIT OR Apache-2.0", "MPL 2.0": "MPL-2.0",
    "GPLv3": "GPL-3.0-only", "GNU Lesser General Public License": "LGPL-3.0-only", "AGPLv3+": "AGPL-3.0-only",
    "Apache-2.0 WITH LLVM-exception": "Apache-2.0 WITH LLVM-exception", "Proprietary": "", "": "", "Dual License": "",
    "x" * 300: "",
}


@pytest.mark.parametrize(("name", "expected"), NAMES.items(), ids=[n[:40] for n in NAMES])
def test_names_become_spdx(name: str, expected: str) -> None:
    assert licence.normalise(name) == expected


PERMISSIVE = {
    "MIT": True, "MIT OR GPL-3.0-only": True, "MIT AND GPL-3.0-only": False, "(MIT OR GPL-2.0-only) AND ISC": True,
    "MPL-2.0": False, "LGPL-3.0-only": False, "BSD": False, "": False, "CC-BY-NC-4.0": False, "nonsense (": False,
    "Apache-2.0 WITH LLVM-exception": True, "LicenseRef-Other": False, "GPL-3.0-only WITH GCC-exception-3.1": False,
}


@pytest.mark.parametrize(("expression", "expected"), PERMISSIVE.items())
def test_a_licence_is_permissive_when_it_leaves_such_a_choice(expression: str, expected: bool) -> None:
    assert licence.is_permissive(expression) is expected


OSI = "License :: OSI Approved :: "
FIELDS = {
    "the expression counts most": (
        {"license_expression": "MIT", "classifiers": [f"{OSI}BSD License"], "license": "GPL"},
        ("MIT", "license_expression"),
    ),
    "then the classifiers": ({"classifiers": [f"{OSI}MIT License"], "license": "GPL"}, ("MIT", "classifiers")),
    "then the text": ({"license": "Apache 2.0", "classifiers": ["Topic :: X"]}, ("Apache-2.0", "license")),
    "a whole licence in the text": ({"license": f"Copyright me\n\n{MIT}\n" * 3}, ("MIT", "license")),
    "BSD of a known variant": (
        {"classifiers": [f"{OSI}BSD License"], "license": "BSD-3-Clause"}, ("BSD-3-Clause", "license"),
    ),
    "BSD of no known variant": ({"classifiers": [f"{OSI}BSD License"], "license": "BSD"}, ("", "")),
    "two classifiers must both hold": (
        {"classifiers": [f"{OSI}MIT License", f"{OSI}GNU General Public License v3 (GPLv3)"]},
        ("GPL-3.0-only AND MIT", "classifiers"),
    ),
    "an unknown classifier": (
        {"classifiers": ["License :: Other/Proprietary License"]}, ("LicenseRef-Other", "classifiers"),
    ),
    "a classifier that says nothing": ({"classifiers": ["License :: OSI Approved"]}, ("", "")),
    "nothing": ({"license": None, "classifiers": None}, ("", "")),
}


@pytest.mark.parametrize(("info", "expected"), FIELDS.values(), ids=FIELDS)
def test_a_projects_fields_count_by_their_precision(info: dict, expected: tuple[str, str]) -> None:
    assert licence.of_project(info) == expected


HEADERS = {
    "nothing": ("import os\n", ""),
    "a tag": ("# SPDX-License-Identifier: GPL-2.0-only\nimport os\n", "GPL-2.0-only"),
    "a permissive tag": ("# SPDX-License-Identifier: MIT\n", "MIT"),
    "a tag that nobody knows": ("# SPDX-License-Identifier: Foo-9\n", "LicenseRef-Unknown"),
    "a tag of one's own": ("# SPDX-License-Identifier: LicenseRef-Acme\n", "LicenseRef-Unknown"),
    "a tag of one's own for a text that is known": (
        '# SPDX-License-Identifier: LicenseRef-Apache2\n#\n# Licensed under the Apache License, Version 2.0 (the "License");\n',
        "Apache-2.0",
    ),
    "a tag of one's own that keeps all rights": (
        "# SPDX-License-Identifier: LicenseRef-Acme\n# Acme. Proprietary and confidential.\n", "LicenseRef-Proprietary",
    ),
    "a comment": (
        "#!/usr/bin/python\n# This program is free software under the GNU General Public License as published by\n",
        "GPL-3.0-only",
    ),
    "a comment over two lines": ("# under the GNU Lesser General\n# Public License version 2.1\n", "LGPL-3.0-only"),
    "a docstring": ('"""Tools.\n\nMozilla Public License, v. 2.0\n"""\n', "MPL-2.0"),
    "code that speaks of a licence": ('import re\nX = "GNU General Public License version 3"\n', ""),
    "proprietary": ("# Acme. Proprietary and confidential.\n", "LicenseRef-Proprietary"),
}


@pytest.mark.parametrize(("text", "expected"), HEADERS.values(), ids=HEADERS)
def test_a_files_header_names_its_licence(text: str, expected: str) -> None:
    assert licence.of_header(text) == expected


def test_a_python_licence_that_speaks_of_the_gpl_is_none() -> None:
    text = "PYTHON SOFTWARE FOUNDATION LICENSE VERSION 2 ... distributed under the GNU General Public License (GPL), the"
    assert licence.of_text(text) == "PSF-2.0"


@pytest.mark.parametrize(("chosen", "expected"), [
    ("", "Apache-2.0 AND GPL-3.0-only"), ("Apache-2.0", "Apache-2.0 AND GPL-3.0-only"),
    ("GPL-2.0-or-later OR Apache-2.0", "Apache-2.0"), ("LGPL-3.0-only OR Apache-2.0", "Apache-2.0 AND GPL-3.0-only"),
    ("GPL-2.0-or-later AND Apache-2.0", "Apache-2.0 AND GPL-3.0-only"),
])
def test_texts_between_which_a_project_leaves_a_choice_bind_nobody(chosen: str, expected: str) -> None:
    texts = {"LICENSE.Apache-2.0": "Apache License, Version 2.0", "LICENSE.GPL": "GNU General Public License Version 2"}
    assert licence.of_files(texts, chosen)[0] == expected


def test_licence_files_are_those_at_the_root_and_in_the_folder_of_licences() -> None:
    yes = ["LICENSE", "LICENSE.txt", "license.md", "COPYING", "NOTICE", "LICENSES/MIT.txt", "LICENSE-APACHE", "UNLICENSE"]
    no = ["src/LICENSE", "vendor/x/LICENSE", "license.py", "README", "licensing/a.txt"]
    assert [p for p in yes + no if licence.is_licence_file(p) or p.startswith("LICENSES/")] == yes


def test_a_release_carries_the_texts_of_licences_and_notices(
    server: Server, lock: Callable[..., LockedSource | Rejection], context: Context
) -> None:
    texts = {"LICENSE": MIT, "NOTICE": "thanks", "LICENSES/Zlib.txt": "zlib"}
    server.upload("demo", "1.0", "2026-01-01", sdist({"a.py": ""}))
    server.upload("demo", "1.1", "2026-06-01", sdist({"a.py": "", "sub/LICENSE": "no", **texts}))
    locked = lock("demo")
    assert isinstance(locked, LockedSource)
    assert licence_texts(locked, context) == texts
