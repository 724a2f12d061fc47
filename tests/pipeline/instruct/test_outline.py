"""What a body does, step by step: all of it in words, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import InstructConfig
from pipeline.instruct.outline import outline
from pipeline.instruct.stage import InstructStage
from pipeline.instruct.steps import StepWriter
from pipeline.languages.python.facts import read_facts
from pipeline.records import Instruction
from tests.pipeline.making import context, suite


def steps(body: str, signature: str = "text, limit", head: str = "import re\nimport math\n") -> tuple[str, ...]:
    program = f"{head}\n\ndef f({signature}):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return tuple("    " * line.level + line.text for line in outline(read_facts(program, "f")))


TOLD = {
    "a guard": (
        "if not text or limit < 1:\n    return None\nreturn text[:limit]",
        ["If `text` is falsy or `limit` is less than 1, return None.", "Return the part of `text` before position `limit`."]),
    "branches": (
        "if limit > 7:\n    size = 'big'\nelif limit:\n    size = 'small'\nelse:\n    size = None\n    limit -= 1\nreturn size",
        ["If `limit` is greater than 7, let `size` be 'big'.", "Otherwise, if `limit` is truthy, let `size` be 'small'.",
         "Otherwise:", "    Let `size` be None.", "    Subtract 1 from `limit`.", "Return `size`."]),
    "loops": (
        "found = []\nfor i, (a, b) in enumerate(text, 1):\n    while a:\n        a -= b\n    if a == i:\n        break\n"
        "    found.append((a, i))\nelse:\n    return {}\nreturn found",
        ["Let `found` be an empty list.", "For each `(a, b)` of `text`, counted from 1 as `i`:",
         "    As long as `a` is truthy, subtract `b` from `a`.", "    If `a` equals `i`, leave the loop.",
         "    Append the tuple of `a` and `i` to `found`.", "If the loop was not left early, return an empty dictionary.",
         "Return `found`."]),
    "errors": (
        "try:\n    number = int(text)\nexcept (TypeError, ValueError):\n    raise KeyError('no number') from None\nreturn number",
        ["Try this:", "    Let `number` be `int` of `text`.", "If that raises TypeError or ValueError, raise KeyError ('no number').",
         "Return `number`."]),
    "an error with a name": (
        "try:\n    return int(text)\nexcept ValueError as error:\n    return str(error)",
        ["Try this:", "    Return `int` of `text`.", "If that raises ValueError (called `error`), return `str` of `error`."]),
    "precedence": (
        "return (text + 1) * limit - len(text) // 2",
        ["Return ((`text` plus 1) times `limit`) minus ((the length of `text`) divided by 2 and rounded down)."]),
    "a fallback with a method": (
        "return (text or limit).strip()", ["Return (`text` or, if that is falsy, `limit`) without whitespace around it."]),
    "lookups": (
        "return text.get('a'), text.get('b', 3), text['c']",
        ["Return the tuple of what `text` has under 'a' (None if it is missing), what `text` has under 'b' (3 if it is missing) "
         "and what `text` has under 'c'."]),
    "a comprehension": (
        "return [w.lower() for line in text for w in line.split(',') if w != limit]",
        ["Return the list of (`w` in lower case) for each `line` of `text`, for each `w` of the parts of `line` between ',' "
         "for which `w` differs from `limit`."]),
    "sorting": (
        "text.sort(key=lambda p: (-p[1], p[0]))\nreturn max(text, key=len, default=None)",
        ["Sort `text` in ascending order by the tuple of the negative of the second element of `p` and the first element of `p` "
         "for each element `p`.", "Return the largest element of `text` by what `len` gives for each (None if there is none)."]),
    "a template": (
        "return f'{text}: {limit * 2:>{limit}}, {text!r}'",
        ["Return the text '{text}: {A:>{limit}}, {text!r}' (where A is `limit` times 2)."]),
    "a constant of the module": (
        "return [t for t in text if t in _ODD]", ["Return the elements `t` of `text` for which `t` is in ('x', 'y')."]),
    "a library": (
        "return re.sub('a+', '', text, flags=re.I)", ["Return `re.sub` of 'a+', '' and `text` (with `flags`: `re.I`)."]),
    "a library's function with a method's name": (
        "import operator\nreturn math.ceil(operator.index(text))", ["Return (`operator.index` of `text`) rounded up."]),
    "what can only be empty": (
        "words = text.split()\nfound = re.search('a', limit)\ndone = False\nif words and not found and not done:\n    return 1\nreturn 2",
        ["Let `words` be the words of `text`.", "Let `found` be `re.search` of 'a' and `limit`.", "Let `done` be False.",
         "If `words` is not empty and `found` is None and `done` is False, return 1.", "Return 2."]),
    "copies, sets and what is taken out": (
        "rest = text.copy()\nfirst = rest.pop('a', None)\nkinds = {t for t in rest} | set(limit) | frozenset(first)\n"
        "rest.pop('b')\nreturn list(sorted(kinds))",
        ["Let `rest` be a copy of `text`.",
         "Let `first` be what `rest` has under 'a' (None if it is missing), which is removed from it.",
         "Let `kinds` be what is in (what is in the set of the elements `t` of `rest` or in (the set of the elements of "
         "`limit`) (`|`)) or in (the frozenset of the elements of `first`) (`|`).",
         "Remove what `rest` has at 'b'.", "Return a new list of the elements of (the list of the elements of `kinds` in ascending order)."]),
    "calls of itself": (
        "return f(text[1:], limit + 1) or f(text, limit=3)",
        ["Return (`f` of (`text` without its first element) and (`limit` plus 1)) or, if that is falsy, (`f` of `text` (with "
         "`limit`: 3))."]),
    "parts": (
        "a, sep, b = text.partition(':')\nq, r = divmod(limit, 60)\nx, y = text\nreturn a[1:], b[:-1]",
        ["Let `a`, `sep` and `b` be what `text` has before, at and after the first ':'.",
         "Let `q` and `r` be the quotient and the remainder of `limit` divided by 60.",
         "Let `x` and `y` be the elements of `text`, in this order.",
         "Return the tuple of `a` without its first element and `b` without its last element."]),
    "a helper": (
        "def half(n):\n    return n / 2\nreturn half(limit)",
        ["With a helper `half` of `n` that works so:", "    Return `n` divided by 2.", "Return `half` of `limit`."]),
    "any and all": (
        "return any(t > limit for t in text) and all(text)",
        ["Return whether for at least one, `t` of `text`, it holds that `t` is greater than `limit` and each of `text` is truthy."]),
}


@pytest.mark.parametrize(("body", "said"), TOLD.values(), ids=TOLD.keys())
def test_each_statement_is_told(body: str, said: list[str]) -> None:
    assert list(steps(body, head="import re\n_ODD = ('x', 'y')\n")) == said


OPPOSITES = {
    "text not in 'abc'": "`text` does not occur in 'abc'", "not text in 'abc'": "`text` does not occur in 'abc'",
    "not any(t in limit for t in text)": "not (for at least one, `t` of `text`, it holds that `t` is in `limit`)",
    "not all(t == 1 for t in text)": "not (for every one, `t` of `text`, it holds that `t` equals 1)",
    "not any(text)": "not (any of `text` is truthy)", "not all(text)": "not (each of `text` is truthy)",
    "not [t for t in text if t in limit]": "not (the elements `t` of `text` for which `t` is in `limit` is truthy)",
    "not (text == ' is in ')": "`text` differs from ' is in '", "not text.startswith('a or b')": "`text` does not start with 'a or b'",
    "not (1 < limit < 3)": "not (1 is less than `limit` and `limit` is less than 3)", "not text": "`text` is falsy",
    "not (not (text and limit) or (text == 1 and limit))":
        "not (not (`text` is truthy and `limit` is truthy) or (`text` equals 1 and `limit` is truthy))",
    "hasattr(text, limit)": "`text` has the attribute `limit`", "not hasattr(text, 'a or b')": "`text` lacks the attribute 'a or b'",
    "text is not None": "`text` is not None", "not text is None": "`text` is not None",
}


@pytest.mark.parametrize(("test", "said"), OPPOSITES.items(), ids=OPPOSITES.keys())
def test_the_opposite_of_a_condition_is_true_where_the_condition_is_not(test: str, said: str) -> None:
    assert steps(f"if {test}:\n    return 1\nreturn 2")[0] == f"If {said}, return 1."


BEYOND = {
    "a statement": "match text:\n    case 1:\n        return 2\nreturn 3", "a context": "with open(text) as f:\n    return limit",
    "a name that nobody knows": "return helper(text)", "an inner statement": "if text:\n    global x\nreturn limit",
    "cleaning up": "try:\n    return 1\nfinally:\n    text.clear()",
    "too much": "\n".join(f"x{i} = text + {i}" for i in range(40)) + "\nreturn x1",
    "a long constant": f"return text in {'z' * 500!r}",
}


@pytest.mark.parametrize("body", BEYOND.values(), ids=BEYOND.keys())
def test_what_words_do_not_reach_gives_no_outline(body: str) -> None:
    assert steps(body) == ()


def test_a_function_without_a_docstring_is_told_by_its_name_steps_and_examples() -> None:
    program = "def _cut_long_text(text, limit):\n    if len(text) > limit:\n        return text[:limit]\n    return text\n"
    draft = StepWriter(InstructConfig()).write(suite(program, [("abcd", 2), ("a", 3)]))
    assert """
    \"\"\"Cut long text, step by step:
        - If the length of `text` is greater than `limit`, return the part of `text` before position `limit`.
        - Return `text`.
""" in draft.text
    assert ">>> _cut_long_text('abcd', 2)\n        'ab'" in draft.text


def test_exceptions_that_come_of_themselves_and_changed_arguments_are_noted() -> None:
    program = "def put(items: list[int], key: int):\n    items.append(1 // key)\n    return items[0]\n"
    draft = StepWriter(InstructConfig()).write(suite(program, [([], 0), ([3], 1)]))
    assert {"Raises ZeroDivisionError (see the examples).", "`items` is changed in place."} <= set(draft.notes)


def test_the_stage_tells_the_steps_where_the_text_is_not_enough(tmp_path: Path) -> None:
    doc = '"""Give the text back, at most so many characters of it, in lower case where the limit is 7 and not else."""'
    program = f"def cut(text: str, limit: int):\n    {doc}\n    if limit == 7:\n        text = text.lower()\n    head = text[:limit]\n" \
        "    tail = text[limit:]\n    if tail[:1] in '.!?':\n        head = head + tail[0]\n    return head\n"
    inputs = [("Abc. D", 3), ("aB", 7), ("", 2), ("abcdefgH", 7), ("abcdefgh!", 8), ("xy?", 2), ("Long text", 4)]
    (made,) = InstructStage().run([suite(program, inputs)], context(tmp_path))
    assert isinstance(made, Instruction), made
    assert made.author == "steps-1"
    assert "occurs in '.!?'" in made.text


def test_names_that_steps_speak_of_are_imported() -> None:
    program = "from collections.abc import Mapping\nfrom typing import cast\n\n\ndef size(data: dict):\n" \
        "    if isinstance(data, Mapping):\n        return len(cast(dict, data))\n    return 'cast'\n"
    draft = StepWriter(InstructConfig()).write(suite(program, [({"a": 1},), ({},)]))
    assert draft.text.startswith("from collections.abc import Mapping\n\n\ndef size")
