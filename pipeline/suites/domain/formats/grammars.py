"""Markup and code with the names that the body asks for."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.pool import Pool


def _names(pool: Pool) -> list[str]:
    known = [text for text in (*pool.keys, *pool.texts) if text.replace("-", "_").replace(":", "_").isidentifier()]
    return list(dict.fromkeys(known)) or ["item", "name", "p", "div", "a"]


def _value(rng: Random, pool: Pool) -> str:
    known = pool.texts or list(WORDS)
    return rng.choice((rng.choice(known), rng.choice(known), rng.choice(WORDS), str(rng.randint(0, 99)), "1.5", ""))


def xml(rng: Random, pool: Pool) -> str:
    """Elements in each other, their tags and attributes among the names that the body asks for."""
    names = _names(pool)
    attributes = [name for name in names if name in pool.keys]
    tags = [name for name in names if name not in pool.keys]
    return _element(rng, pool, (tags or names, attributes or names), 0)


def _element(rng: Random, pool: Pool, names: tuple[list[str], list[str]], depth: int) -> str:
    tag = rng.choice(names[0]) if depth or rng.random() < 0.5 else "root"
    tag = tag.replace(":", "_")
    attributes = "".join(
        f' {name.replace(":", "_")}="{_escaped(_value(rng, pool))}"'
        for name in rng.sample(names[1], min(len(names[1]), rng.choice((0, 0, 1, 1, 2)))))
    if depth < 3 and rng.random() < (0.97, 0.6, 0.3)[depth]:
        inner = "".join(_element(rng, pool, names, depth + 1) for _ in range(rng.choice((1, 2, 2, 3))))
    else:
        inner = _escaped(_value(rng, pool))
    return f"<{tag}{attributes}>{inner}</{tag}>" if inner or rng.random() < 0.5 else f"<{tag}{attributes}/>"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")


def code(rng: Random, pool: Pool) -> str:
    """Statements of Python with names and texts that the body asks for."""
    names = [*(word for word in _names(pool) if word.isidentifier()), "x", "main", "data"]
    return "".join(_statement(rng, names, "", 0) for _ in range(rng.choice((1, 1, 2, 3))))


_LEAVES = (
    "{a} = {n}", "{a}: int = {n}", "{a}, {b} = {n}, {m}", "{a} += {n}", "{a}({b}, key={n})", "{a}.{b}({n})",
    "import {a}", "from {a} import {b} as {c}", "from . import {a}", "assert {a}",
    "raise {a}({b!r})", "del {a}", "pass", "{a!r}", "# {a} {b}",
    "{a} = {b!r}", "{a} = [{n}, {m}]", "{a} = {{{b!r}: {n}}}", "{a} = {b}.{c}", "{a}[{b!r}] = {n}",
    "print(f'{{{a}}}')",
    "{a} = {b} if {c} else None",
    "{a} = [{b} for {b} in {c} if {b} > {n}]",
    "{a} = lambda {b}: {b}", "{a} = ({b}, {c})",
    "__all__ = [{a!r}, {b!r}]", "{a} = {b}({c!r})", "{a} = {n} + {m}", "type({a}) == {b}", "{a} = not {b} or {c}",
)  # fmt: skip
_BLOCKS = (
    "if {a}:", "if {a} == {b!r}:", "for {a} in {b}:", "while {a}:", "with {a}({b!r}) as {c}:", "try:", "class {A}:",
    "class {A}({B}):", "def {a}({b}, {c}={n}):", "def {a}(self) -> {b}:", "async def {a}():", "@{a}\n{i}def {b}():",
    "def {a}(*args, **kwargs):", "def {a}_{b}():", 'if __name__ == "__main__":', "@{a}({b!r})\n{i}class {A}:",
)  # fmt: skip


def _statement(rng: Random, names: list[str], indent: str, depth: int) -> str:
    a, b, c = (rng.choice(names) for _ in range(3))
    words = {"a": a, "b": b, "c": c, "A": a.title(), "B": b.title(), "n": rng.randint(0, 9), "m": rng.randint(0, 99),
             "i": indent}
    if depth > 2 or rng.random() < 0.3 + 0.2 * depth:
        return f"{indent}{rng.choice(_LEAVES).format(**words)}\n"
    head = rng.choice(_BLOCKS)
    inner = "".join(_statement(rng, names, indent + "    ", depth + 1) for _ in range(rng.choice((1, 1, 2))))
    if "def " in head and rng.random() < 0.5:
        inner = f'{indent}    """{a} {b}."""\n' * rng.choice((0, 1)) + inner + f"{indent}    return {b}\n"
    made = f"{indent}{head.format(**words)}\n{inner}"
    if head == "try:":
        made += f"{indent}except {rng.choice((b.title(), 'ValueError', 'Exception as error'))}:\n{indent}    pass\n"
    elif head.startswith("if ") and rng.random() < 0.4:
        made += f"{indent}else:\n{_statement(rng, names, indent + '    ', 3)}"
    return made


GRAMMARS: dict[str, Callable[[Random, Pool], str]] = {"xml": xml, "code": code}
"""Each notation by the name of its format."""
