"""Which files do not count: tests, documentation, examples, vendored and generated code."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_FOLDERS = {
    "tests": "test tests _test _tests testing testsuite test_suite unittests testdata test_data fixtures",
    "documentation": "doc docs documentation doc_src website",
    "examples": "example examples sample samples demo demos tutorial tutorials notebook notebooks cookbook recipes "
                "benchmark benchmarks bench asv_bench playground",
    "vendored code": "vendor vendors vendored _vendor _vendored third_party thirdparty 3rdparty extern external "
                     "externals _external node_modules site-packages",
    "generated code": "generated _generated gen autogen build dist migrations alembic",
    "packaging": "ci .ci .github .circleci packaging_scripts",
}
_KIND_OF = {name: kind for kind, names in _FOLDERS.items() for name in names.split()}

_FILES = (
    (re.compile(r"^(test_.*|.*_tests?|tests?|conftest)\.py$"), "tests"),
    (re.compile(r"^(.*_pb2(_grpc)?|_version|version|versioneer|parsetab|lextab|.*_generated)\.py$"), "generated code"),
    (re.compile(r"^(setup|noxfile|fabfile|tasks|dodo)\.py$"), "packaging"),
)

_GENERATED = re.compile(
    r"@generated|\bdo(n't| not) (edit|modify)\b"
    r"|\b(auto-?|automatically )generated(\W*$| (file|code|by|from|with|using)\b)"
    r"|\bgenerated (by|from|with|using|automatically)\b|\b(this|the) (file|module|code) (is|was|has been) generated",
    re.I,
)


def excluded_as(path: str) -> str:
    """What kind of code the path shows that does not count, such as "tests"; "" for code that counts."""
    place = PurePosixPath(path)
    for folder in place.parts[:-1]:
        if kind := _KIND_OF.get(folder.lower()):
            return f"{kind} ({folder}/)"
    if len(place.parts) == 1 or place.name not in ("setup.py", "tasks.py", "version.py"):
        for pattern, kind in _FILES:
            if pattern.match(place.name):
                return f"{kind} ({place.name})"
    return ""


def generated_by(text: str) -> str:
    """The comment among a file's first ten lines that says that it was generated; "" where there is none."""
    for line in text.split("\n", 10)[:10]:
        if line.lstrip().startswith(("#", '"""', "'''", "//", "/*", "*")) and _GENERATED.search(line):
            return line.strip()[:120]
    return ""
