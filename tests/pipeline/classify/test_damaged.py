"""No text, however damaged, makes reading or classifying fail."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.classify.module import read_module
from pipeline.classify.rules import classify
from pipeline.languages.python.language import PYTHON
from pipeline.languages.python.reading import READER
from tests.pipeline.classify.expectations import CASES, LIBRARIES

TEXTS = [path.read_text("utf-8") for path in sorted(CASES.glob("*.py"))]
PIECES = [
    "(", ")", "[", "{", '"', "'''", ":", "def ", "class ", "match x:\n case ", "case ", "import ", "from ", "lambda ", "@",
    " as ", 'f"{', "=", ",", "*", "\n", "   ", "type X[T] = ", "global ", "del ", "with ", "except ", "for ", ".", "\t", "ä",
]


@st.composite
def damaged(draw):
    """A piece of a case file with things put in and taken out."""
    text = draw(st.sampled_from(TEXTS))
    start = draw(st.integers(0, len(text) - 1))
    text = text[start:start + 1500]
    for _ in range(draw(st.integers(1, 6))):
        place = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 6))
        text = text[:place] + draw(st.sampled_from(PIECES)) + text[place + cut:]
    return text


@given(damaged())
def test_damaged_text_is_read(text):
    definitions = READER.definitions(text)
    for one in definitions:
        READER.shingles(one.tokens)
    module = read_module(text, PYTHON.naming)
    for unit in module.reading.units:
        classify(module, unit, LIBRARIES)
    assert [d.qualified for d in definitions if d.intact and d.kind == "function" and
            module.unit(d.qualified, d.line_start) is None] == []
