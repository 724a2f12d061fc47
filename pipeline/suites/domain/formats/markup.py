"""Texts in notations of their own: markup, code, expressions, tables, queries."""

from __future__ import annotations

from random import Random

from pipeline.suites.domain.formats.words import WORDS, integer, value, words

_OPERANDS = ("x", "y", "name", "items.count", "items[0]")


def _xml(rng: Random, depth: int = 2) -> str:
    tag = rng.choice(("p", "div", "a", "b", "item", "br", "h1", "li"))
    attribute = rng.choice(("", "", ' class="x"', ' id="1" href="/a?b=1&amp;c=2"'))
    if rng.random() < 0.1:
        return f"<{tag}{attribute}/>"
    inner = "".join(
        _xml(rng, depth - 1) if depth and rng.random() < 0.5 else words(rng) for _ in range(rng.randint(0, 2))
    )
    return f"<{tag}{attribute}>{inner}</{tag}>" + rng.choice(("", "", "&lt;", "<!-- note -->"))


def _code(rng: Random) -> str:
    name, other = rng.choice(WORDS).lower(), rng.randint(0, 9)
    return rng.choice(
        (
            f"{name} = {other}\n",
            f"def {name}(x, y={other}):\n    return x + y\n",
            f"# {name}\nimport os\n",
            f"class {name.title()}:\n    pass\n",
            f"if {name}:\n    print('{name}')\nelse:\n    pass\n",
            f'"""{name}"""\n{name}({other})\n',
            f"for i in range({other}):\n\t{name}.append(i)  # {name}\n",
        )
    )


def _expression(rng: Random) -> str:
    text = rng.choice((str(rng.randint(0, 20)), "x", "2.5"))
    for _ in range(rng.randint(0, 4)):
        text = rng.choice((f"{text} {rng.choice('+-*/^%')} {rng.randint(0, 9)}", f"({text})", f"-{text}", f"{text}*x"))
    return text


BRACES = (
    "{}", "{0}", "{name}", "{:>8}", "a {} b", "{0:.2f}", "{name!r}", "{key:>6} {name}", "{{name}}", "{key}: {value!s}",
)  # fmt: skip


_EXPRESSIONS = (
    "{a} + {b}", "{a} * {b}", "-{a}", "not {a}", "{a} and {b}", "{a} < {b}", "{a} in {b}", "len({a})", "{a}", "{a}",
    "{a} if {b} else {c}", "[{a}, {b}]", "({a}, {b})", "{{{a}: {b}}}", "{{{a}, {b}}}", "[{a}]", "max({a}, {b})",
    "[item for item in {a}]",
)  # fmt: skip


def _python(rng: Random, depth: int = 0) -> str:
    """An expression in Python: names, plain values, and what operators, calls and displays make of them."""
    if depth > 2 or rng.random() < 0.25 * depth:
        return rng.choice((rng.choice(_OPERANDS), repr(value(rng, 3)), integer(rng)))
    parts = {name: _python(rng, depth + 1) for name in "abc"}
    return rng.choice(_EXPRESSIONS).format(**parts)


def _literal(rng: Random) -> str:
    return repr(value(rng, 2))


def _csv(rng: Random) -> str:
    separator = rng.choice((",", ",", ";", "\t", "|"))
    width = rng.randint(1, 4)
    rows = [
        separator.join(rng.choice((rng.choice(WORDS), integer(rng), "", '"a,b"')) for _ in range(width))
        for _ in range(rng.randint(1, 4))
    ]
    return "\n".join(rows) + rng.choice(("", "\n"))


def lines(rng: Random) -> str:
    """A few lines, some blank, some indented, some with a key and a value, some that are headings or lists."""
    made = []
    for _ in range(rng.randint(1, 5)):
        text = words(rng)
        made.append(
            rng.choice(
                (
                    text,
                    text,
                    "",
                    "  " + text,
                    f"{rng.choice(WORDS)}: {text}",
                    f"- {text}",
                    f"# {text}",
                    f"{rng.choice(WORDS)}={integer(rng)}",
                    "\t" + text,
                    f"{rng.randint(1, 9)}. {text}",
                    text + " ",
                )
            )
        )
    return "\n".join(made) + rng.choice(("", "", "\n", "\n\n"))


def _markdown(rng: Random) -> str:
    text = words(rng)
    return rng.choice(
        (
            f"# {text}\n\n{words(rng)}",
            f"**{text}** and *{words(rng)}*",
            f"[{text}](https://example.com)",
            f"- {text}\n- {words(rng)}",
            f"```python\n{_code(rng)}```",
            f"> {text}",
            f"`{text}`",
            f"| a | b |\n|---|---|\n| {text} | 1 |",
            f"![{text}](a.png)",
            f"---\ntitle: {text}\n---\nbody",
        )
    )


def _sql(rng: Random) -> str:
    table, column = rng.choice(WORDS).lower(), rng.choice(WORDS).lower()
    return rng.choice(
        (
            f"SELECT * FROM {table}",
            f"SELECT {column}, id FROM {table} WHERE {column} = {rng.randint(0, 9)};",
            f"insert into {table} ({column}) values ('x')",
            f"-- note\nUPDATE {table} SET {column} = NULL",
            f"SELECT COUNT(*) FROM {table} GROUP BY {column} ORDER BY 1 DESC LIMIT 5",
            f"DROP TABLE {table}",
        )
    )


def _yaml(rng: Random) -> str:
    return "\n".join(
        f"{rng.choice(WORDS)}: {rng.choice((integer(rng), words(rng), 'true', '[1, 2]', 'null'))}"
        for _ in range(rng.randint(1, 4))
    )


def _toml(rng: Random) -> str:
    head = rng.choice(("", f"[{rng.choice(WORDS).lower()}]\n"))
    return head + "\n".join(f"{word} = {rng.randint(0, 9)}" for word in rng.sample(WORDS[:9], rng.randint(1, 3)))


def _regex(rng: Random) -> str:
    return rng.choice((r"\d+", "a|b", "^foo.*$", "[a-z]+", "(x)(y)?", r"\w+@\w+", "plain", "a.c", "(", "*"))
