"""Expressions of a body in English, each name by itself: for texts that follow the order of the body.

Where the steps before have been told, a name is enough, and nearly every expression can be put into words; what words
would make longer and no clearer (`x[:, 0]`, `np.inf`) stands as code in backticks. "" is the answer where neither is
possible.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from functools import cached_property
from typing import Any

from pipeline.instruct.forms import FUNCTIONS, METHODS
from pipeline.instruct.paraphrase import (
    MAX_DEPTH,
    Paraphrase,
    is_bracketed,
    is_constant,
    listed,
)
from pipeline.languages.python.bound_names import root
from pipeline.languages.python.facts import Facts

MAX_QUOTED = 14
"""Nodes of the syntax tree in a piece of code that is quoted."""
MAX_CONSTANT = 400
"""Characters of a constant of the module that is told where it is used."""
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp, ast.USub, ast.Load,
          ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Mod)
_JOINED = (ast.BinOp, ast.IfExp, ast.BoolOp, ast.Compare, ast.Lambda, ast.Call, ast.NamedExpr, ast.UnaryOp)
_LETTERS = "ABCDEFGH"
_SIZED = frozenset("""str bytes list dict set tuple frozenset List Dict Set Tuple Sequence Mapping Collection Sized
    MutableMapping MutableSequence FrozenSet""".split())
_TEXT_METHODS = frozenset("""strip lstrip rstrip lower upper casefold title split rsplit splitlines removeprefix
    removesuffix replace join""".split())
_TRUE = {"sized": "is not empty", "optional": "is neither None nor empty", "match": "is not None", "flag": "is True"}
_EMPTY = frozenset(("set", "dict", "list", "tuple", "frozenset"))


class OutlineWords(Paraphrase):
    """Puts the expressions of one function into words, with its own names."""

    def __init__(self, facts: Facts) -> None:
        super().__init__(facts)
        self.names = self.parameters | self.local | {node.arg for node in facts.nodes if isinstance(node, ast.arg)} | {
            node.name for node in (facts.function, *facts.nodes)
            if isinstance(node, (ast.FunctionDef, ast.ExceptHandler)) and node.name}
        self._kinds: dict[type[ast.AST], Callable[[Any, int], str]] = {
            ast.Dict: self._dictionary, ast.Lambda: self._lambda, ast.NamedExpr: self._walrus,
            ast.Starred: self._all_of, ast.Constant: lambda node, _: ast.unparse(node),
            ast.Name: self._name, ast.JoinedStr: self._form,
            ast.ListComp: self._comprehension, ast.SetComp: self._comprehension, ast.GeneratorExp: self._comprehension,
            ast.DictComp: self._pairs, ast.List: self._several, ast.Tuple: self._several, ast.Set: self._several,
            ast.BinOp: self._binary, ast.Call: self._call, ast.Subscript: self._part, ast.Attribute: self._attribute,
            ast.UnaryOp: self._negative, ast.IfExp: self._either, ast.BoolOp: self._boolean,
            ast.Compare: lambda node, _: f"whether {asked}" if (asked := self._comparison(node)) else "",
        }

    def of(self, node: ast.expr, depth: int = MAX_DEPTH) -> str:
        """An expression in words, or as a short piece of code."""
        if depth <= 0:
            return ""
        if is_constant(node):
            return ast.unparse(node)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id not in self.names:
            return self._quoted(node)
        teller = self._kinds.get(type(node))
        return (teller(node, depth) if teller else "") or self._quoted(node)

    def inner(self, node: ast.expr, depth: int) -> str:
        """An operand: in brackets where it has operands of its own."""
        told = self.of(node, depth - 1)
        sliced = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
        joined = " " in told and (sliced or isinstance(node, _JOINED))
        return f"({told})" if joined and not is_bracketed(told) else told

    def condition(self, node: ast.expr) -> str:
        """A condition in words, without `and`, `or`, `not` at its top; what can only be empty is called so."""
        kind = self._kind(node)
        return f"{self.of(node)} {_TRUE[kind]}" if kind else super().condition(node)

    def _kind(self, node: ast.expr) -> str:
        """How a name is false: `sized` (empty), `optional` (None or empty), `match` (None), `flag`; "" if unknown."""
        if not isinstance(node, ast.Name):
            return ""
        for parameter in self.facts.parameters:
            if parameter.name == node.id:
                return _annotated(parameter.annotation)
        values = [
            other.value for other in self.facts.nodes
            if isinstance(other, ast.Assign) and node.id in {t.id for t in other.targets if isinstance(t, ast.Name)}]
        kinds = {_made(value) for value in values}
        stored = sum(isinstance(other, ast.Name) and other.id == node.id and isinstance(other.ctx, ast.Store)
                     for other in self.facts.nodes)
        return kinds.pop() if len(kinds) == 1 and stored == len(values) else ""

    def _quoted(self, node: ast.expr) -> str:
        """A short plain expression as code; a name of the module's only where it stands for itself."""
        parts = list(ast.walk(node))
        if len(parts) > MAX_QUOTED or not all(isinstance(part, _PLAIN) for part in parts):
            return ""
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        return f"`{ast.unparse(node)}`" if names <= self.names | self._known else ""

    @cached_property
    def _known(self) -> frozenset[str]:
        """Names that mean the same to everybody: of builtins, and of what the program imports."""
        imported = {
            (alias.asname or alias.name).split(".")[0] for node in (*self.facts.tree.body, *self.facts.nodes)
            if isinstance(node, (ast.Import, ast.ImportFrom)) for alias in node.names}
        return frozenset(imported | set(dir(builtins)))

    @cached_property
    def _constants(self) -> dict[str, ast.expr]:
        """What the module's names stand for."""
        found = {}
        for node in self.facts.tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                found[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
                found[node.target.id] = node.value
        return found

    def _name(self, node: ast.Name, depth: int) -> str:
        if node.id in self.names:
            return f"`{node.id}`"
        value = self._constants.get(node.id)
        if value is None:
            return f"`{node.id}`" if node.id in self._known else ""
        if isinstance(value, ast.Call) and ast.unparse(value.func) in ("re.compile", "frozenset", "set", "tuple"):
            value = value.args[0] if len(value.args) == 1 and not value.keywords else value
        try:
            shown = repr(ast.literal_eval(value))
        except (ValueError, TypeError, SyntaxError):
            return self.of(value, depth - 1)
        return shown if len(shown) <= MAX_CONSTANT else ""

    def _attribute(self, node: ast.Attribute, depth: int) -> str:
        inner = self.inner(node.value, depth)
        return f"the `{node.attr}` of {inner}" if inner else ""

    def _negative(self, node: ast.UnaryOp, depth: int) -> str:
        if isinstance(node.op, ast.Not):
            asked = self.combined(node)
            return f"whether {asked}" if asked else ""
        inner = self.inner(node.operand, depth)
        said = {ast.USub: "the negative of {}", ast.Invert: "the bitwise opposite of {}"}.get(type(node.op), "")
        return said.format(inner) if inner else ""

    def _boolean(self, node: ast.BoolOp, depth: int) -> str:
        """`a or b` and `a and b` as values; as a condition where every operand is one."""
        if all(isinstance(value, (ast.Compare, ast.UnaryOp)) or _is_test(value) for value in node.values):
            asked = self.combined(node)
            return f"whether {asked}" if asked else ""
        values = [self.inner(value, depth) for value in node.values]
        if not all(values):
            return ""
        joined = " or, if that is falsy, " if isinstance(node.op, ast.Or) else " and, if that is truthy, "
        return joined.join(values)

    def _several(self, node: ast.List | ast.Tuple | ast.Set, depth: int) -> str:
        kind = type(node).__name__.lower()
        if not node.elts:
            return f"an empty {kind}"
        parts = [self.of(element, depth - 1) for element in node.elts]
        return f"the {kind} of {_enumerated(parts)}" if all(parts) else ""

    def _dictionary(self, node: ast.Dict, depth: int) -> str:
        if not node.keys:
            return "an empty dictionary"
        entries = []
        for key, value in zip(node.keys, node.values, strict=True):
            said = self.of(value, depth - 1)
            name = self.of(key, depth - 1) if key is not None else ""
            if not said or (key is not None and not name):
                return ""
            entries.append(f"{said} under {name}" if key is not None else f"all of {said}")
        return f"a dictionary with {_enumerated(entries)}"

    def _lambda(self, node: ast.Lambda, depth: int) -> str:
        taken = [argument.arg for argument in node.args.args]
        inner = self.of(node.body, depth - 1)
        return f"a function of {_enumerated([f'`{name}`' for name in taken])} that gives {inner}" if inner else ""

    def _walrus(self, node: ast.NamedExpr, depth: int) -> str:
        inner = self.of(node.value, depth - 1)
        return f"{inner} (called `{node.target.id}` from here on)" if inner else ""

    def _all_of(self, node: ast.Starred, depth: int) -> str:
        inner = self.of(node.value, depth - 1)
        return f"all of {inner}" if inner else ""

    def _comprehension(self, node: ast.ListComp | ast.SetComp | ast.GeneratorExp, depth: int) -> str:
        passes = self.passes(node.generators, depth)
        same = isinstance(node.elt, ast.Name) and ast.unparse(node.generators[0].target) == node.elt.id
        if same and len(node.generators) == 1 and passes:
            told = passes.removeprefix("each ")
            return f"the {'set of the ' if isinstance(node, ast.SetComp) else ''}elements {told}"
        element = self.of(node.elt, depth - 1)
        kind = "the set of" if isinstance(node, ast.SetComp) else "the list of"
        return f"{kind} {self._bracketed_list(node.elt, element)} for {passes}" if element and passes else ""

    def _bracketed_list(self, node: ast.expr, told: str) -> str:
        return f"({told})" if isinstance(node, (*_JOINED, ast.ListComp, ast.GeneratorExp)) and " " in told else told

    def _pairs(self, node: ast.DictComp, depth: int) -> str:
        key, value = self.of(node.key, depth - 1), self.inner(node.value, depth)
        passes = self.passes(node.generators, depth)
        return f"a dictionary with {value} under {key} for {passes}" if key and value and passes else ""

    def passes(self, generators: list[ast.comprehension], depth: int) -> str:
        """What one or several loops of a comprehension go through, and what they leave out."""
        told = []
        for generator in generators:
            one = self.one_pass(generator.target, generator.iter, depth)
            asked = [self.combined(test) for test in generator.ifs]
            if not one or not all(asked):
                return ""
            told.append(one + (f" for which {' and '.join(asked)}" if asked else ""))
        return ", for ".join(told)

    def one_pass(self, target: ast.expr, whole: ast.expr, depth: int = MAX_DEPTH) -> str:
        """What a loop goes through, one thing after the other."""
        names = " and ".join(f"`{ast.unparse(part)}`" for part in target.elts) if isinstance(target, ast.Tuple) else (
            f"`{ast.unparse(target)}`")
        if isinstance(whole, ast.Call) and not whole.keywords and isinstance(target, ast.Tuple):
            name, parts = ast.unparse(whole.func), [f"`{ast.unparse(part)}`" for part in target.elts]
            arguments = [self.of(argument, depth - 1) for argument in whole.args]
            if name == "enumerate" and len(parts) == 2 and all(arguments) and arguments:
                start = f", counted from {arguments[1]} as" if len(arguments) > 1 else " with its position"
                return f"each {parts[1]} of {arguments[0]}{start} {parts[0]}"
            if name == "zip" and len(parts) == len(arguments) and all(arguments):
                return f"each {' and '.join(parts)} of {' and '.join(arguments)} side by side"
            pairs = isinstance(whole.func, ast.Attribute) and whole.func.attr == "items" and not whole.args
            if isinstance(whole.func, ast.Attribute) and pairs and len(parts) == 2:
                owner = self.inner(whole.func.value, depth)
                return f"each key {parts[0]} and value {parts[1]} of {owner}" if owner else ""
        several = is_constant(whole) and not isinstance(whole, ast.Constant)
        told = listed(whole) if several else self.of(whole, depth - 1)
        return f"each {names} of {told}" if told else ""

    def _form(self, node: ast.JoinedStr, depth: int) -> str:
        """A template, and what stands in its gaps."""
        letters, said, shown = iter(_LETTERS), [], ""
        for part in node.values:
            if isinstance(part, ast.Constant):
                shown += str(part.value)
            elif isinstance(part, ast.FormattedValue):
                spec = part.format_spec
                form = ast.unparse(spec)[2:-1] if isinstance(spec, ast.JoinedStr) else ""
                name = part.value.id if isinstance(part.value, ast.Name) else next(letters, "")
                if not isinstance(part.value, ast.Name):
                    inner = self.of(part.value, depth - 1)
                    if not inner or not name:
                        return ""
                    said.append(f"{name} is {inner}")
                conversion = f"!{chr(part.conversion)}" if part.conversion > 0 else ""
                shown += f"{{{name}{conversion}{':' if form else ''}{form}}}"
        return f"the text {shown!r}" + (f" (where {_enumerated(said)})" if said else "")

    def _binary(self, node: ast.BinOp, depth: int) -> str:
        if isinstance(node.op, ast.Mod) and isinstance(getattr(node.left, "value", None), str):
            inner = self.of(node.right, depth - 1)
            return f"the text {ast.unparse(node.left)} filled in with {inner}" if inner else ""
        return super()._binary(node, depth)

    def _either(self, node: ast.IfExp, depth: int) -> str:
        first, second, asked = self.inner(node.body, depth), self.inner(node.orelse, depth), self.combined(node.test)
        return f"{first} if {asked}, else {second}" if first and second and asked else ""

    def _call(self, node: ast.Call, depth: int) -> str:
        name = ast.unparse(node.func) if isinstance(node.func, (ast.Name, ast.Attribute)) else ""
        if name.rsplit(".", 1)[-1] == "cast" and len(node.args) == 2:
            return self.of(node.args[1], depth)
        if name in ("any", "all", "isinstance"):
            asked = self._test(node)
            if asked:
                return f"whether {asked}"
        if name in _EMPTY and not node.args and not node.keywords:
            return f"an empty {name}"
        if name in ("sorted", "min", "max") and node.keywords:
            return self._ordered(name, node, depth)
        arguments = [self.inner(argument, depth) for argument in node.args]
        if not all(arguments):
            return ""
        options = [f"`{word.arg}`: {self.of(word.value, depth - 1)}" for word in node.keywords]
        if any(option.endswith(": ") for option in options) or any(word.arg is None for word in node.keywords):
            return ""
        if not options and not any(isinstance(argument, ast.Starred) for argument in node.args):
            form = FUNCTIONS.get(len(arguments), {}).get(name, "")
            told = form.format(*arguments) if form else self._method(node, arguments, depth)
            if told:
                return told
        return self._applied(node, arguments, options, depth)

    def _method(self, node: ast.Call, arguments: list[str], depth: int) -> str:
        """A method of a builtin type that has words of its own."""
        if not isinstance(node.func, ast.Attribute) or self.is_library(node.func):
            return ""
        form = METHODS.get(len(arguments), {}).get(node.func.attr, "")
        owner = node.func.value
        told = self.of(owner, depth - 1) if isinstance(owner, ast.Call) else self.inner(owner, depth) if form else ""
        return form.format(told, *arguments) if form and told else ""

    def _slice(self, whole: str, part: ast.Slice, depth: int) -> str:
        if part.step is None and (part.lower is None) != (part.upper is None):
            one = ast.unparse(part.lower or part.upper or ast.Constant(0))
            if one in ("1", "-1"):
                cut = {("1", True): "without its first element", ("1", False): "cut down to its first element",
                       ("-1", True): "cut down to its last element", ("-1", False): "without its last element"}
                return f"{whole} {cut[one, part.lower is not None]}"
        bounds = [bound for bound in (part.lower, part.upper) if bound is not None]
        if any(isinstance(bound, (ast.BinOp, ast.Call, ast.IfExp, ast.BoolOp)) for bound in bounds):
            ends = [self.inner(bound, depth) for bound in bounds]
            if part.step is not None or not all(ends):
                return ""
            if part.upper is None:
                return f"the part of {whole} from position {ends[0]} on"
            if part.lower is None:
                return f"the part of {whole} before position {ends[0]}"
            return f"the part of {whole} from position {ends[0]} up to, but without, {ends[1]}"
        return super()._slice(whole, part, depth)

    def _applied(self, node: ast.Call, arguments: list[str], options: list[str], depth: int) -> str:
        """A call by the name of what is called: a function of a library or a builtin, or a method of a value."""
        given = _enumerated(arguments)
        chosen = f" (with {_enumerated(options)})" if options else ""
        if self.is_library(node.func) or (isinstance(node.func, ast.Name) and node.func.id in self.names):
            return f"`{ast.unparse(node.func)}` of {given}{chosen}" if given else \
                f"the result of `{ast.unparse(node.func)}`{chosen}"
        if not isinstance(node.func, ast.Attribute):
            return ""
        owner = self.inner(node.func.value, depth)
        used = f" with {given}" if given else ""
        return f"the result of the method `{node.func.attr}` of {owner}{used}{chosen}" if owner else ""

    def is_library(self, function: ast.expr) -> bool:
        """Whether what is called belongs to a library or to the builtins."""
        first = root(function)
        return bool(first) and first in self._known - self.names and first not in self._constants

    def _ordered(self, name: str, node: ast.Call, depth: int) -> str:
        """`sorted(x, key=..., reverse=True)`, `min(x, key=..., default=...)`."""
        words = {word.arg: word.value for word in node.keywords}
        if len(node.args) != 1 or set(words) - {"key", "reverse", "default"}:
            return ""
        whole = self.inner(node.args[0], depth)
        by = self.sort_key(words["key"], depth) if "key" in words else ""
        if not whole or ("key" in words and not by):
            return ""
        if name == "sorted":
            turned = words.get("reverse")
            if turned is not None and not isinstance(turned, ast.Constant):
                return ""
            order = "descending" if turned is not None and turned.value else "ascending"
            return f"the list of the elements of {whole} in {order} order{by}"
        told = f"the {'smallest' if name == 'min' else 'largest'} element of {whole}{by}"
        if "default" in words:
            other = self.of(words["default"], depth - 1)
            told = f"{told} ({other} if there is none)" if other else ""
        return told

    def sort_key(self, key: ast.expr, depth: int = MAX_DEPTH) -> str:
        """By what is sorted."""
        if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
            inner = self.of(key.body, depth - 1)
            return f" by {inner} for each element `{key.args.args[0].arg}`" if inner else ""
        inner = self.of(key, depth - 1)
        return f" by what {inner} gives for each" if inner else ""

    def _part(self, node: ast.Subscript, depth: int) -> str:
        if not isinstance(node.slice, (ast.Slice, ast.Constant, ast.UnaryOp)):
            quoted = self._quoted(node)
            if quoted and not isinstance(node.slice, ast.Name):
                return quoted
            inner, key = self.inner(node.value, depth), self.of(node.slice, depth - 1)
            return f"the item of {inner} at {key}" if inner and key else ""
        return super()._part(node, depth)

    def _test(self, node: ast.Call) -> str:
        name = ast.unparse(node.func)
        if name in ("any", "all") and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            inner = node.args[0]
            asked, passes = self.combined(inner.elt), self.passes(inner.generators, MAX_DEPTH - 2)
            much = "at least one" if name == "any" else "every one"
            passes = passes.removeprefix("each ")
            return f"for {much}, {passes}, it holds that {asked}" if asked and passes else ""
        if name in ("any", "all") and len(node.args) == 1:
            whole = self.of(node.args[0], MAX_DEPTH - 1)
            return f"{'any' if name == 'any' else 'each'} of {whole} is truthy" if whole else ""
        return super()._test(node)


def _annotated(annotation: str) -> str:
    plain = annotation.replace("typing.", "").replace("Optional[", "None | ").strip("'\"")
    kinds = {part.split("[")[0].strip("] ") for part in plain.split("|")} if "Union" not in plain else set()
    sized = kinds - {"None"}
    if sized and sized <= _SIZED:
        return "optional" if "None" in kinds else "sized"
    return "flag" if kinds == {"bool"} else ""


def _made(value: ast.expr) -> str:
    """How what an expression gives can be false."""
    if isinstance(value, (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.JoinedStr)):
        return "sized"
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return "sized"
    if (isinstance(value, ast.Constant) and isinstance(value.value, bool)) or (
            isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not)):
        return "flag"
    name = ast.unparse(value.func) if isinstance(value, ast.Call) else ""
    if name in ("re.match", "re.search", "re.fullmatch"):
        return "match"
    if name in ("list", "dict", "set", "tuple", "sorted", "str", "re.findall") or (
            name.rsplit(".", 1)[-1] in _TEXT_METHODS and "." in name):
        return "sized"
    return ""


def _is_test(node: ast.expr) -> bool:
    """Whether a call answers yes or no."""
    return isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in (
        "isinstance", "hasattr", "any", "all", "startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace",
        "isupper", "islower", "isidentifier", "isinf", "isnan", "isfinite", "issubset", "issuperset", "isdisjoint")


def _enumerated(parts: list[str]) -> str:
    """Several things with commas and an `and`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""
