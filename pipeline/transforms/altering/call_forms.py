"""Normal forms of calls: arguments that say what is so without them, and calls that change nothing."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Protocol

from pipeline.transforms.altering.facts import Facts, Form


class Forms(Protocol):
    """What reads the parts of a call."""

    @property
    def facts(self) -> Facts:
        """What is known of the whole function."""

    def value(self, node: ast.AST | None) -> Form:
        """The form of an expression for its value."""

    def truth(self, node: ast.AST) -> Form:
        """The form of an expression that is only asked whether it is true."""


_SIDES = {"strip": "lr", "lstrip": "l", "rstrip": "r"}
_NONE, _FALSE, _ZERO = "None", "False", "0"
_USUAL_OF_METHODS: dict[str, tuple[str, ...]] = {
    "get": ("", _NONE), "setdefault": ("", _NONE), "fromkeys": ("", _NONE), "split": (_NONE, "-1"),
    "rsplit": (_NONE, "-1"), "strip": (_NONE,), "lstrip": (_NONE,), "rstrip": (_NONE,),
}
"""What the last arguments of methods are when they are not given; an empty text where they must be."""
_LOOKUPS = frozenset(["get", "setdefault"])
"""Methods whose arguments stand elsewhere when they are taken from the class: `dict.get(table, None)`."""
_USUAL_OF_FUNCTIONS: dict[str, tuple[str, ...]] = {"enumerate": ("", _ZERO), "sum": ("", _ZERO), "sorted": ("",)}
_USUAL_KEYWORDS = {
    "sorted": {"reverse": _FALSE, "key": _NONE}, "min": {"key": _NONE}, "max": {"key": _NONE},
    "enumerate": {"start": _ZERO}, "sum": {"start": _ZERO}, "zip": {"strict": _FALSE},
}
_DECISIONS = ("isinstance", "issubclass", "callable", "hasattr", "any", "all")


def call_form(node: ast.Call, forms: Forms) -> Form | None:
    """The form of a call that one of the rules knows."""
    if any(isinstance(argument, ast.Starred) for argument in node.args):
        return None
    return _method(node, forms) if isinstance(node.func, ast.Attribute) else _function(node, forms)


def _method(node: ast.Call, forms: Forms) -> Form | None:
    if not isinstance(node.func, ast.Attribute) or node.keywords:
        return None
    name, whole = node.func.attr, node.func.value
    of_class = name in _LOOKUPS and not forms.facts.is_local(whole)
    arguments = node.args if of_class else _without_usual(node.args, _USUAL_OF_METHODS.get(name, ()))
    if name in _SIDES and len(arguments) <= 1:
        return _stripped(whole, _SIDES[name], tuple(map(forms.value, arguments)), forms)
    if name in ("lower", "upper") and not arguments and _is_method(whole, name):
        return forms.value(whole)
    if name == "join" and len(arguments) == 1 and forms.facts.is_text(whole):
        return "method", name, forms.value(whole), forms.value(_listed(arguments[0], forms))
    return "method", name, forms.value(whole), *map(forms.value, arguments)


def _stripped(whole: ast.expr, sides: str, arguments: tuple[Form, ...], forms: Forms) -> Form:
    """What is stripped of the same characters again is stripped on all these sides at once."""
    inner = forms.value(whole)
    if inner[0] == "stripped" and inner[2] == arguments and (not arguments or arguments[0][0] == "Constant"):
        sides, inner = "".join(sorted({*sides, *inner[1]})), inner[3]
    return "stripped", sides, arguments, inner


def _is_method(node: ast.expr, name: str) -> bool:
    called = node.func if isinstance(node, ast.Call) and not node.args and not node.keywords else None
    return isinstance(called, ast.Attribute) and called.attr == name


def _function(node: ast.Call, forms: Forms) -> Form | None:
    facts = forms.facts
    if not isinstance(node.func, ast.Name) or node.func.id in facts.own:
        return None
    name = node.func.id
    if name == "range" and 1 <= len(node.args) <= 3 and not node.keywords:
        return _range([forms.value(argument) for argument in node.args])
    if name in _DECISIONS and not node.keywords:
        return "bool", (name, *map(forms.value, node.args))
    if len(node.args) == 1 and not node.keywords and name in _CHANGING_NOTHING:
        rule = _CHANGING_NOTHING[name]
        form = rule(node.args[0], forms)
        if form is not None:
            return form
    return _with_usual_left_out(node, name, forms)


def _with_usual_left_out(node: ast.Call, name: str, forms: Forms) -> Form:
    usual = _USUAL_KEYWORDS.get(name, {})
    arguments = _without_usual(node.args, _USUAL_OF_FUNCTIONS.get(name, ()))
    if name == "sorted" and len(arguments) == 1:
        arguments = [_set_of_anything(_listed(arguments[0], forms), forms)]
    given = (
        (keyword.arg, forms.value(keyword.value))
        for keyword in node.keywords
        if keyword.arg is None or not _is(keyword.value, usual.get(keyword.arg))
    )
    return "function", name, tuple(map(forms.value, arguments)), *given


def _range(arguments: list[Form]) -> Form:
    zero, one = ("Constant", "int", "0"), ("Constant", "int", "1")
    start, end = (zero, arguments[0]) if len(arguments) == 1 else arguments[:2]
    return "range", start, end, arguments[2] if len(arguments) == 3 else one


def _without_usual(given: list[ast.expr], usual: tuple[str, ...]) -> list[ast.expr]:
    """The arguments without the last ones that are what they are when not given."""
    if len(given) > len(usual):
        return given
    count = len(given)
    while count and usual[count - 1] and _is(given[count - 1], usual[count - 1]):
        count -= 1
    return given[:count]


def _is(node: ast.expr, text: str | None) -> bool:
    return text is not None and not isinstance(node, ast.JoinedStr) and ast.unparse(node) == text


def _listed(node: ast.expr, forms: Forms) -> ast.expr:
    """What a list or tuple that is only read through is made of."""
    if isinstance(node, ast.Call) and forms.facts.calls(node, "list", "tuple"):
        return _listed(node.args[0], forms)
    return node


def _set_of_anything(node: ast.expr, forms: Forms) -> ast.expr:
    """A set of a list, as the set of what the list is of; only for where its order does not show."""
    if isinstance(node, ast.Call) and forms.facts.calls(node, "set", "frozenset"):
        inner = _listed(node.args[0], forms)
        if inner is not node.args[0]:
            return ast.Call(node.func, [inner], [])
    return node


def _text(node: ast.expr, forms: Forms) -> Form | None:
    return forms.value(node) if forms.facts.is_text(node) else None


def _whole(node: ast.expr, forms: Forms) -> Form | None:
    return forms.value(node) if forms.facts.is_whole(node) else None


def _decision(node: ast.expr, forms: Forms) -> Form | None:
    return "bool", forms.truth(node)


def _list(node: ast.expr, forms: Forms) -> Form | None:
    made = isinstance(node, ast.Call) and forms.facts.is_own_function(node.func, "sorted", "list")
    if made or isinstance(node, (ast.ListComp, ast.List)):
        return forms.value(node)
    return _of_listed("list", node, forms)


def _tuple(node: ast.expr, forms: Forms) -> Form | None:
    return forms.value(node) if isinstance(node, ast.Tuple) else _of_listed("tuple", node, forms)


def _of_listed(name: str, node: ast.expr, forms: Forms) -> Form:
    return "function", name, (forms.value(_listed(node, forms)),)


_CHANGING_NOTHING: dict[str, Callable[[ast.expr, Forms], Form | None]] = {
    "str": _text, "int": _whole, "bool": _decision, "list": _list, "tuple": _tuple,
}
