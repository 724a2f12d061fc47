"""What a person would copy out of an answer is what is judged."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.answers.extraction import extract
from harness.languages import Machine
from harness.languages.python.extraction import MAX_CHARS
from harness.records import Task, Verdict
from harness.scoring.judging import judge_all
from tests.harness.make_release import make_task

REFERENCE = '''\
from typing import Optional
import numpy as np


def f(x: int, y: Optional[int] = None) -> int:
    """Return the sum."""
    return x + (y or 0)
'''
TASK: Task = make_task("f", REFERENCE, [(1,), (1, 2)])
GOOD = "def f(x, y=None):\n    return x + (y or 0)\n"
HELPED = "def f(x, y=None):\n    return add(x, y or 0)\n"
HELPER = "def add(a, b):\n    return a + b\n"


def fenced(code: str, tag: str = "python") -> str:
    return f"```{tag}\n{code}```\n"


def indented(code: str, by: str = "    ") -> str:
    return "".join(by + line if line.strip() else line for line in code.splitlines(keepends=True))


RIGHT = {
    "code alone": GOOD,
    "a fence with a tag": fenced(GOOD),
    "a fence without a tag": fenced(GOOD, ""),
    "a fence tagged py": fenced(GOOD, "py"),
    "a fence tagged Python": fenced(GOOD, "Python"),
    "tildes": f"~~~python\n{GOOD}~~~\n",
    "four backticks": f"````python\n{GOOD}````\n",
    "an unclosed fence": f"Here it is:\n```python\n{GOOD}",
    "an unclosed fence with prose behind": f"```python\n{GOOD}\nThis function adds two numbers.\n",
    "prose around a fence": f"Sure!\n\n{fenced(GOOD)}\nThis adds them, doesn't it?\n",
    "prose around and no fence": f"Sure, here you go:\n\n{GOOD}\nIt's the sum, as you asked (see above.\n",
    "prose that starts like an import": f"from the text it is clear.\n\n{GOOD}",
    "a shell block before": f"```bash\npip install numpy\n```\n{fenced(GOOD)}",
    "an output block behind": f"{fenced(GOOD)}Output:\n```text\n3\n```\n",
    "an output block without a tag behind": f"{fenced(GOOD)}Output:\n```\n3\n```\n",
    "an example block behind": f"{fenced(GOOD)}For example:\n{fenced('print(f(1, 2))' + chr(10))}",
    "a fence inside a list": f"1. Write it:\n\n{indented(fenced(GOOD))}\n2. Done.\n",
    "a whole answer that is indented": indented(GOOD),
    "windows line ends": fenced(GOOD).replace("\n", "\r\n"),
    "a byte order mark": "\ufeff" + GOOD,
    "a helper before": f"{HELPER}\n\n{HELPED}",
    "a helper behind": f"{HELPED}\n\n{HELPER}",
    "a helper in another block": f"First a helper.\n{fenced(HELPER)}Then:\n{fenced(HELPED)}",
    "a helper in a later block": f"{fenced(HELPED)}It needs:\n{fenced(HELPER)}",
    "an import in another block": f"{fenced('import operator' + chr(10))}{fenced('def f(x, y=None):' + chr(10) + '    return operator.add(x, y or 0)' + chr(10))}",
    "a constant that the function needs": "ZERO = int('0')\n\n\ndef f(x, y=None):\n    return x + (y or ZERO)\n",
    "typing names that are not imported": "def f(x: int, y: Union[int, None] = None) -> Dict[str, Any]:\n    return x + (y or 0)\n",
    "the task's imports left out": "def f(x: int, y: Optional[int] = None):\n    return int(np.add(x, y or 0))\n",
    "a future import of its own": "from __future__ import annotations\n\n\ndef f(x: Foo, y: Optional[int] = None):\n    return int(np.add(x, y or 0))\n",
    "a docstring and then a future import": '"""Adds."""\nfrom __future__ import annotations\n\n\ndef f(x: Foo, y: List = None):\n    return x + (y or 0)\n',
    "the signature repeated, then the function": f'def f(x, y=None):\n    """Return the sum."""\n\n\n{GOOD}',
    "the function, then the signature repeated": f'{GOOD}\n\ndef f(x, y=None):\n    """Return the sum."""\n    pass\n',
    "a stub in the last block": f"{fenced(GOOD)}Its signature is\n{fenced('def f(x, y=None): ...' + chr(10))}",
    "a body alone": "    return x + (y or 0)\n",
    "a body whose first indentation is lost": "total = x\n    return total + (y or 0)\n",
    "a body without indentation": "total = x\nreturn total + (y or 0)\n",
    "a body without indentation that assigns to the function's name": "f = x\nif y:\n    return f + y\nreturn f\n",
    "a body in a fence": fenced("    total = x\n    return total + (y or 0)\n"),
    "a body and then another function": "    return add(x, y or 0)\n\n\ndef add(a, b):\n    return a + b\n",
    "a body and then prose": "    return x + (y or 0)\n\nThat's all, it's the sum.\n",
    "a body with its docstring": '    """Return the sum."""\n    return x + (y or 0)\n',
    "a class around a method": "class Solution:\n    def f(self, x, y=None):\n        return x + (y or 0)\n",
    "a class whose method uses another": "class Solution:\n    def g(self, y):\n        return y or 0\n\n    def f(self, x, y=None):\n        return x + self.g(y)\n",
    "a class around a static method": "class Solution:\n    @staticmethod\n    def f(x, y=None):\n        return x + (y or 0)\n",
    "a class method": "class Solution:\n    @classmethod\n    def f(cls, x, y=None):\n        return x + (y or 0)\n",
    "a class around a function without self": "class Solution:\n    def f(x, y=None):\n        return x + (y or 0)\n",
    "a class and a print of it": "class Solution:\n    def f(self, x, y=None):\n        return x + (y or 0)\n\nprint(Solution().f(0, 'x'))\n",
    "reasoning before": f"<think>\nI could write\n```python\ndef f(x, y): return 0\n```\nbut no.\n</think>\n{fenced(GOOD)}",
    "reasoning whose opening tag is in the prompt": f"Let me see, def f(x): return 0.\n</think>\n\n{GOOD}",
    "reasoning that never ends, with a draft": f"<think>\nMaybe\n{fenced(GOOD)}or something else, let me",
    "code about reasoning tags": 'def f(x, y=None):\n    tag = "</think>"\n    return x + (y or 0)\n',
    "a main block": f"{GOOD}\nif __name__ == '__main__':\n    raise SystemExit(f(1))\n",
    "asserts behind": f"{GOOD}\nassert f(1) == 99\nassert f(1, 2) == 98, 'no'\n",
    "prints behind": f"{GOOD}\nprint(f('no'))\n",
    "an example that would raise": f"{GOOD}\nresult = f('a', 3)\nprint(result)\n",
    "a loop of examples": f"{GOOD}\nfor case in [(1, 'x')]:\n    print(f(*case))\n",
    "a test function that is called": f"{GOOD}\ndef test_f():\n    assert f(1) == 99\n\ntest_f()\n",
    "a main that is called": f"{GOOD}\ndef main():\n    print(f('a', 1))\n\nmain()\n",
    "unit tests that exit": f"import unittest\n{GOOD}\nclass T(unittest.TestCase):\n    pass\n\nunittest.main()\n",
    "a word behind": f"{GOOD}\nDone\n",
    "statements on one line": "import math; assert False\ndef f(x, y=None): return x + (y or 0)\nprint(f('a', 1)); z = 1\n",
    "several versions, the last right": f"{fenced('def f(x, y=None):' + chr(10) + '    return 0' + chr(10))}Better:\n{fenced(GOOD)}",
    "the last version broken": f"{fenced(GOOD)}Or shorter:\n{fenced('def f(x, y=None) return x' + chr(10))}",
    "two versions in one text": f"def f(x, y=None):\n    return 0\n\nOr better:\n\n{GOOD}",
    "a lambda": "f = lambda x, y=None: x + (y or 0)\n",
    "a decorator": f"import functools\n\n\n@functools.lru_cache\n{GOOD}",
    "a cache put around": f"import functools\n{GOOD}\nf = functools.lru_cache(f)\n",
    "a definition by condition": "import sys\nif sys.version_info > (3,):\n    def f(x, y=None):\n        return x + (y or 0)\nelse:\n    f = None\n",
    "a table that is filled at import": "TABLE = []\nfor i in range(1000):\n    TABLE.append(i)\n\n\ndef f(x, y=None):\n    return TABLE[x] + (y or 0)\n",
    "a recursion limit": f"import sys\nsys.setrecursionlimit(5000)\n{GOOD}",
    "a docstring with a fence": 'def f(x, y=None):\n    """Add.\n\n    ```python\n    f(1)\n    ```\n    """\n    return x + (y or 0)\n',
    "a fenced docstring with a fence": fenced('def f(x, y=None):\n    """Add.\n\n    ```python\n    f(1)\n    ```\n    """\n    return x + (y or 0)\n'),
    "an escape that Python warns of": 'def f(x, y=None):\n    """\\d"""\n    return x + (y or 0)\n',
    "the instruction repeated whole": TASK.instruction + "    return x + (y or 0)\n",
}


def run(code: str) -> Any:
    space: dict[str, Any] = {"__name__": "candidate"}
    exec(compile(code, "candidate", "exec"), space)
    return space


@pytest.fixture(scope="module")
def verdicts(machine: Machine) -> dict[str, Verdict]:
    """The verdict on each right answer, as it is judged: taken out of its text and run in the sandbox."""
    codes = {name: extract(answer, TASK) for name, answer in RIGHT.items()}
    codes |= {f"{name}, again": extract(code, TASK) for name, code in codes.items()}
    return dict(zip(codes, judge_all([(TASK, code) for code in codes.values()], machine, 2), strict=True))


@pytest.mark.parametrize("name", RIGHT)
def test_the_function_is_found_and_works(name: str, verdicts: dict[str, Verdict]) -> None:
    assert verdicts[name].perfect, verdicts[name].detail


@pytest.mark.parametrize("name", RIGHT)
def test_extraction_of_what_was_extracted_changes_nothing_that_matters(name: str, verdicts: dict[str, Verdict]) -> None:
    assert verdicts[f"{name}, again"].perfect, verdicts[f"{name}, again"].detail


def test_code_without_anything_to_mend_stays_as_it_is() -> None:
    assert extract(GOOD, TASK) == GOOD


NOTHING = {
    "empty": "",
    "space": " \n\t\n",
    "a word": "lol",
    "prose": "I'm sorry, I can't do that.",
    "prose with a colon": "The answer: think of it.\n\nFor each number, add it.",
    "a refusal after reasoning": "<think>def f(x): return x</think>\nI won't.",
    "reasoning that never ends": "<think>Let me think about f. The function should",
}


@pytest.mark.parametrize("answer", NOTHING.values(), ids=NOTHING.keys())
def test_no_code_is_found_where_there_is_none(answer: str) -> None:
    assert extract(answer, TASK) == ""


BROKEN = {
    "a syntax error": "def f(x, y=None):\n    return x +\n",
    "a syntax error in a fence": fenced("def f(x, y=None):\n    if x\n        return 1\n"),
    "cut in the middle": "```python\ndef f(x, y=None):\n    total = x\n    for i in range(",
    "an indentation error": "def f(x, y=None):\n    a = 1\n      b = 2\n    return a\n",
    "a broken line at the margin inside the fence": fenced("import numpy as\n" + GOOD),
}


@pytest.mark.parametrize("answer", BROKEN.values(), ids=BROKEN.keys())
def test_a_syntax_error_stays_one(answer: str) -> None:
    code = extract(answer, TASK)
    assert code
    with pytest.raises(SyntaxError):
        compile(code, "candidate", "exec")


def test_a_function_under_another_name_is_not_renamed() -> None:
    space = run(extract(fenced(GOOD.replace("def f", "def g")), TASK))
    assert "g" in space
    assert "f" not in space


def test_imports_that_the_instruction_did_not_give_are_not_added() -> None:
    code = extract("def f(x, y=None):\n    return math.fsum([x, y or 0])\n", TASK)
    assert "import math" not in code


def test_an_answer_above_the_limit_is_given_back_as_it_stands() -> None:
    answer = "x = 1\n" * (MAX_CHARS // 6 + 1)
    assert extract(answer, TASK) == answer


@pytest.mark.parametrize("answer", ["(" * 50_000, "-" * 50_000 + "1", "[" * 3000 + "]" * 3000, "def f(x):\n" * 5000, "\x00def f(x): return 1", "import a\n" * 20_000 + "(", "if a: pass\n" + "elif a: pass\n" * 3000 + "def f(x): return 1\n"], ids=["brackets", "signs", "nested", "headers", "null", "imports", "branches"])
def test_hostile_text_is_survived(answer: str) -> None:
    assert isinstance(extract(answer, TASK), str)


@given(st.text(st.sampled_from(list("def f(x):\n \t`~#'\"=+1rtun<>/ik")), max_size=200))
def test_any_text_gives_text(answer: str) -> None:
    assert isinstance(extract(answer, TASK), str)


@given(st.sampled_from(sorted(RIGHT)), st.integers(0, 400))
def test_an_answer_cut_anywhere_gives_text(name: str, end: int) -> None:
    assert isinstance(extract(RIGHT[name][:end], TASK), str)
