"""What is excused in members: what the calls of a program rule out, and nothing that they do not."""

from __future__ import annotations

from textwrap import dedent

import pytest

from pipeline.suites.instrument.branch_coverage import Measure, told, verdict
from pipeline.suites.proofs.unreachable import dead_lines, settled_conditions
from pipeline.suites.subject import Subject

GUARD = "if flag:\n        return 1\n    return 2"


def subject(text: str) -> Subject:
    return Subject.of(dedent(text).strip() + "\n", "f")


def words(text: str) -> list[str]:
    return list(told(Measure(subject(text)).excused))


def bundle(guard: str, entry: str, before: str = "", head: str = "def g(x, flag=False):") -> str:
    return f"{before}\n{head}\n    {guard}\n\n\n{entry}\n"


def test_a_default_that_is_never_given_decides() -> None:
    found = words("""
        def g(x, left=True):
            if left:
                return x
            return -x

        def f(x):
            return g(x)
        """)
    assert found == [
        "`g` line 2 to line 4: `left` is always true here", "`g` line 4: line 4 comes after what always leaves"]


def test_the_branch_without_else_is_excused_too() -> None:
    text = """
        def g(x, left):
            if left is not None:
                x = x + left
            return x

        def f(x):
            return g(x, 2) + g(x, left=3)
        """
    assert words(text) == ["`g` line 2 to line 4: `left is not None` is always true here"]


def test_what_is_never_true_takes_its_block_with_it() -> None:
    text = """
        LEFT = "left"

        def g(x, side):
            while side == "right" and x:
                x = x - 1
            return x

        def f(x):
            return g(x, LEFT) if x else g(x, "both")
        """
    found = words(text)
    assert [one.partition(":")[0] for one in found] == ["`g` line 4 to line 5", "`g` line 5"]
    assert dead_lines(subject(text)) == {5}


def test_values_are_handed_on_through_members() -> None:
    text = """
        def h(x, mode):
            if mode in ("a", "b"):
                return x
            return -x

        def g(x, mode="a"):
            return h(x, mode)

        def f(x):
            return g(x) + g(x, "b") + h(x, "a")
        """
    assert [one.partition(":")[0] for one in words(text)] == ["`h` line 2 to line 4", "`h` line 4"]
    assert words(text.replace('h(x, "a")', 'h(x, "c")')) == []


def test_types_that_are_asked_for_are_known() -> None:
    text = """
        def g(x, parts):
            if isinstance(parts, (list, tuple)):
                return len(parts)
            return x

        def f(x):
            return g(x, [x]) + g(x, (1, 2)) + g(x, parts=[])
        """
    assert len(words(text)) == 2
    assert words(text.replace("parts=[])", "parts=x)")) == []


def test_conditions_inside_a_line_are_settled() -> None:
    text = subject("""
        def g(x, flag):
            return x if flag or x > 3 else (x and flag)

        def f(x):
            return g(x, True)
        """)
    assert {place[1] for place in settled_conditions(text)} >= {16, 24, 36, 42}


def test_members_that_nothing_calls_do_not_count() -> None:
    text = """
        class A:
            def __init__(self, x):
                self.x = x

            def used(self):
                return self.x

            def unused(self):
                return helper(self.x)

            @property
            def special(self):
                return 3

        def helper(x):
            return x

        def f(x):
            return A(x).used()
        """
    names = {goal.member for goal in Measure(subject(text)).excused}
    assert names == {"A.unused", "A.special", "helper"}
    assert {goal.member for goal in Measure(subject(text.replace("return self.x", "return self.special"))).excused} == {
        "A.unused", "helper"}


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ("return getattr(A(x), name)()", ["unused"]),
        ("return A(x).used() + len({'unused': 1})", ["unused"]),
        ("return [one.unused() for one in [A(x)]]", ["unused"]),
        ("return {'a': helper}[x](1)", ["helper"]),
        ("return A(x).used() if x else globals()[x]()", ["unused", "helper"]),
    ],
)
def test_whatever_may_name_a_member_may_call_it(change: str, kept: list[str]) -> None:
    text = f"""
class A:
    def __init__(self, x):
        self.x = x

    def used(self):
        return self.x

    def unused(self):
        return self.x


def helper(x):
    return x


def f(x, name="used"):
    {change}
"""
    named = {goal.member.rpartition(".")[2] for goal in Measure(subject(text)).excused}
    assert not named.intersection(kept)


def test_methods_that_libraries_ask_for_count() -> None:
    text = """
        import json

        class A(json.JSONEncoder):
            def convert(self, x):
                return x

        class B:
            def keys(self):
                return []

            def __len__(self):
                return 0

        def f(x):
            return [A(), B(), x]
        """
    assert words(text) == []


CALL = "def f(x):\n    return g(x)"
TRICKY = {
    "assigned before": bundle("flag = bool(x)\n    " + GUARD, CALL),
    "assigned in a loop": bundle(
        "for one in x:\n        if flag:\n            return one\n        flag = True\n    return 2", CALL),
    "walrus": bundle("if (flag := x > 3) and flag:\n        return 1\n    return 2", CALL),
    "walrus before": bundle("y = (flag := x) + 1\n    " + GUARD, CALL),
    "augmented": bundle("flag += x\n    " + GUARD, CALL),
    "unpacked": bundle("flag, y = x, 1\n    " + GUARD, CALL),
    "target of a loop": bundle("for flag in x:\n        if flag:\n            return 1\n    return 2", CALL),
    "caught": bundle("try:\n        y = 1 / x\n    except ZeroDivisionError as flag:\n        y = flag\n    " + GUARD, CALL),
    "matched": bundle("match x:\n        case [flag]:\n            y = 1\n    " + GUARD, CALL),
    "deleted": bundle("del flag\n    " + GUARD, CALL),
    "nonlocal": bundle("def h():\n        nonlocal flag\n        flag = x\n    h()\n    " + GUARD, CALL),
    "hidden in a comprehension": bundle("return [1 if flag else 2 for flag in x]", CALL),
    "hidden by a parameter": bundle("h = lambda flag: 1 if flag else 2\n    return h(x)", CALL),
    "recursion with another value": bundle("if flag:\n        return 1\n    return g(x - 1, x > 3)", CALL),
    "recursion through another": bundle(
        GUARD, "def h(x, flag):\n    return g(x, not flag)\n\n\ndef f(x):\n    return h(x, True) + g(x) + h(x, x)"),
    "a key": bundle(GUARD, "def f(x):\n    return sorted(x, key=g) + [g(1)]"),
    "in a dictionary": bundle(GUARD, "def f(x):\n    return {'g': g}['g'](x, x) + g(x)"),
    "at module level": bundle(GUARD, "TABLE = [g]\n\n\ndef f(x):\n    return TABLE[0](x, x) + g(x)"),
    "an alias": bundle(GUARD, "h = g\n\n\ndef f(x):\n    return h(x, x) + g(x)"),
    "a local alias": bundle(GUARD, "def f(x):\n    h = g\n    return h(x, x) + g(x)"),
    "a default": bundle(GUARD, "def f(x, h=g):\n    return h(x, x) + g(x)"),
    "partial": bundle(GUARD, "def f(x):\n    return partial(g, x)(x) + g(x)", "from functools import partial\n"),
    "starred": bundle(GUARD, "def f(x):\n    return g(*x) + g(x)"),
    "keywords": bundle(GUARD, "def f(x, **more):\n    return g(x, **more) + g(x)"),
    "another decorator": bundle(GUARD, CALL, "def d(h):\n    return lambda x: h(x, x)\n\n", "@d\ndef g(x, flag=False):"),
    "hidden by a function": bundle(
        GUARD, "def f(x):\n    def g(x, flag=True):\n        return 3\n    return g(x)"),
    "bound anew": bundle(GUARD, CALL + "\n\n\ndef set_g(h):\n    global g\n    g = h"),
    "bound twice": bundle(GUARD, CALL, "def g(x):\n    return 1\n\n"),
    "a mutable default": bundle(
        "flag.append(x)\n    if len(flag) > 1:\n        return 1\n    return 2", CALL, head="def g(x, flag=[]):"),
    "truth of a mutable default": bundle(
        "if flag:\n        return 1\n    flag.append(x)\n    return 2", CALL, head="def g(x, flag=[]):"),
    "a constant that changes": bundle(
        GUARD, "def f(x):\n    global ON\n    ON = x\n    return g(x, ON)", "ON = False\n"),
    "a constant that is hidden": bundle(GUARD, "def f(x):\n    ON = x\n    return g(x, ON)", "ON = False\n"),
    "a variable of the caller": bundle(GUARD, "def f(x):\n    flag = False\n    flag = x\n    return g(x, flag)"),
    "a parameter of the entry point": bundle(GUARD, "def f(x, flag=False):\n    return g(x, flag)"),
    "a parameter of the caller that is assigned": bundle(
        GUARD, "def h(x, flag=False):\n    flag = x\n    return g(x, flag)\n\n\ndef f(x):\n    return h(x)"),
    "a call by exec": bundle(GUARD, "def f(x):\n    exec('g(x, x)')\n    return g(x)"),
    "its defaults": bundle(GUARD, "def f(x):\n    g.__defaults__ = (x,)\n    return g(x)"),
    "an operator of its own": bundle("if flag == x:\n        return 1\n    return 2", CALL),
    "isinstance of its own": bundle(
        "if isinstance(flag, str):\n        return 1\n    return 2", CALL, "def isinstance(one, kind):\n    return one\n\n"),
    "or something else": bundle("if flag or x:\n        return 1\n    return 2", CALL),
    "one value of two": bundle(GUARD, "def f(x):\n    return g(x) + g(x, 1)"),
    "zero and false": bundle("if flag is False:\n        return 1\n    return 2", "def f(x):\n    return g(x) + g(x, 0)"),
    "what is caught": bundle(
        "try:\n        if not flag:\n            raise ValueError(x)\n    except ValueError:\n        return 1\n    return 2",
        "def f(x):\n    return g(x) + g(x, x)"),
}


@pytest.mark.parametrize("name", TRICKY)
def test_what_may_happen_is_not_excused(name: str) -> None:
    assert not [str(goal) for goal in Measure(subject(TRICKY[name])).excused if goal.member == "g"]


def test_only_the_end_of_a_loop_that_is_left_by_break_is_excused() -> None:
    loop = "while not flag:\n        if x > 3:\n            break\n        x += 1\n    return x"
    assert words(bundle(loop, CALL)) == ["`g` line 2 to line 6: `not flag` is always true here"]


@pytest.mark.parametrize(
    ("body", "excused"),
    [
        ('side = "a" if x else "b"\n    return g(x, side)', 2),
        ('first: str = "a"\n    side = first\n    return [g(one, side) for one in x]', 2),
        ('side = "a" if x else x\n    return g(x, side)', 0),
        ('side = "a"\n    side += x\n    return g(x, side)', 0),
        ('side = "a"\n    for side in x:\n        pass\n    return g(x, side)', 0),
        ('def h():\n        side = "a"\n    return g(x, side)', 0),
        ('def h(side):\n        return g(x, side)\n    side = "a"\n    return h(x)', 0),
        ('if x:\n        side = "a"\n    else:\n        side = x\n    return g(x, side)', 0),
    ],
)
def test_a_variable_that_is_assigned_once_is_followed(body: str, excused: int) -> None:
    guard = 'if side not in SIDES:\n        return 3\n    return 4'
    text = bundle(guard, f"def f(x):\n    {body}", 'SIDES = ("a", "b")\n', "def g(x, side):")
    assert len(words(text)) == excused


MATCHED = """
    def g(x, mode="a"):
        match mode:
            case "a" | "b":
                x = x + 1
            case None:
                return 3
            case "c" if x:
                return 4
            case _:
                return 5
        return x

    def f(x):
        return g(x) + g(x, %s)
    """


@pytest.mark.parametrize(
    ("given", "lines"),
    [('"b"', {5, 6, 7, 8, 9, 10}), ('"c"', {6}), ("None", {7, 8, 9, 10}), ("0", {6, 8}), ("x", set()), ("[]", set())],
)
def test_cases_are_decided_by_the_values_that_come_to_them(given: str, lines: set[int]) -> None:
    assert dead_lines(subject(MATCHED % given)) == lines


def test_a_case_that_always_matches_has_one_branch() -> None:
    found = [one for one in words(MATCHED % '"b"') if "always matches here" in one]
    assert found == ["`g` line 3 to line 5: `case 'a' | 'b'` always matches here"]


def test_a_value_that_is_bound_anew_later_is_known_before() -> None:
    text = """
        def g(x, seen=None):
            if seen is None:
                seen = []
            for one in x:
                if seen is None:
                    return one
                seen = seen + [one]
            return seen

        def f(x):
            return g(x)
        """
    assert words(text) == ["`g` line 2 to line 4: `seen is None` is always true here"]


def test_a_function_that_remembers_its_calls_is_known_by_them() -> None:
    head = "@lru_cache(maxsize=None)\ndef g(x, flag=False):"
    assert words(bundle(GUARD, CALL, "from functools import lru_cache\n", head))


def test_what_is_excused_in_the_entry_point_is_nothing() -> None:
    guarded = "def f(x, flag=False):\n    if flag and False:\n        return 1\n    return g(x)"
    assert words(bundle("return x", guarded)) == []


def test_a_verdict_excuses_the_same_and_tells_of_a_proof_that_is_wrong(tmp_path: object) -> None:
    text = subject(bundle(GUARD, CALL))
    found = verdict(text, lambda function: function(3), f"{tmp_path}/reference.py")
    assert found.missing == () and found.branches == found.taken == 1 and len(found.excused) == 2
    wrong = subject(bundle(GUARD, CALL))
    wrong.tree.body[0].args.defaults[0].value = True  # type: ignore[attr-defined]
    told_of = verdict(wrong, lambda function: function(3), f"{tmp_path}/reference.py").missing
    assert any("although `flag` is always true here" in one for one in told_of)
