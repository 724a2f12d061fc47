"""Reading a file part by part gives what reading it as a whole gives."""

from __future__ import annotations

import sysconfig
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages.python.pieces import pieces
from pipeline.languages.reading import Definition
from pipeline.languages.registry import language
from pipeline.sources.versions import Versions

READER = language("python").reading
METHODS = "".join(f"    def m{n}(self):\n        '''{'x' * 300}'''\n        return {n}\n\n" for n in range(6))

FILES = {
    "functions": "import os\n\n@cache\n@other(\n    1,\n)\ndef f():\n    return 1\n\nasync def g():\n    def h(): pass\n",
    "a class": f"class A(B):\n    '''Doc.'''\n    x = 1\n\n{METHODS}\nx = 2\n\ndef f(): pass\n",
    "a class with brackets at the left": f"class A(\n    B,\n):\n{METHODS}",
    "what follows a class": f"class A(B):\n{METHODS}if x:\n    def f(): pass\n    def g(): pass\nelse:\n    def f(): 1\n",
    "methods under a condition": "class A:\n    if x:\n" + METHODS.replace("    ", "        ", 1).replace(
        "\n    ", "\n        ") + "\n    else:\n        def m1(self): 2\n\n    def last(self): 3\n",
    "a class in a class": f"class A:\n    class B:\n        def f(self): 1\n{METHODS}",
    "a string over several": f'class A:\n    """\ndef f():\n    """\n{METHODS}\ndef g():\n    """\ndef h(): pass\n    """\n',
    "a bracket over several": f"class A:\n    x = [\n    '',\n]\n{METHODS}\nz = (\ndef f(): 1\n)\n",
    "a syntax error": f"class A:\n{METHODS}\ndef f(:\n    pass\n\ndef g(): 1\n",
    "tabs and spaces": "class A:\n\tif x:\n        y\n" + METHODS.replace("    ", "\t"),
    "comments at the left": f"class A:\n# one\n{METHODS}# two\n    def f(self): 1\n",
    "nothing": "",
}


def without_lines(definitions: list[Definition]) -> list[tuple[str, ...]]:
    return [(d.qualified, d.kind, d.fingerprint, d.source) for d in definitions]


def by_parts(*texts: str) -> list[Definition]:
    """What the last text defines, read after the others."""
    versions = Versions(READER, lambda definition: definition)
    return [list(versions.defined_in(text.encode())) for text in texts][-1]


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_the_parts_of_a_file_define_what_it_defines(text: str) -> None:
    assert without_lines(by_parts(text)) == without_lines(list(READER.definitions(text)))


@given(st.permutations(sorted(FILES)), st.integers(0, 60))
def test_what_a_file_defines_does_not_depend_on_what_was_read_before(names: list[str], cut: int) -> None:
    texts = [FILES[name] for name in names]
    last = texts[-1] + "\n" + texts[0][: len(texts[0]) * cut // 60]
    assert without_lines(by_parts(*texts, last)) == without_lines(by_parts(last))


def test_a_class_is_cut_into_its_methods() -> None:
    parts = pieces(FILES["a class"].split("\nx = 2")[0])
    assert len(parts) == 7
    assert all(part.startswith("class A") for part in parts)
    assert len(pieces(FILES["functions"])) == 3


def test_the_parts_of_real_files_define_what_those_define() -> None:
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    for file in islice(files, 0, None, 4):
        text = READER.decode(file.read_bytes())
        assert without_lines(by_parts(text)) == without_lines(list(READER.definitions(text))), file
