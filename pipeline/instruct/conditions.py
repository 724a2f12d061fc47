"""Special cases in words: guards on parameters, elements that are skipped, errors that are caught, the last resort.

Only conditions that speak of parameters (or elements of one) in plain terms are told, and only outcomes that need no
computation: a constant, an argument as it is, an exception. Everything else is left to the description.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.instruct.decisions import atoms, caught_source
from pipeline.instruct.phrases import TESTS, Phrases
from pipeline.languages.python.facts import Facts

MAX_OPERANDS = 3
MAX_CALLS = 2
_ORDER = {
    ast.Eq: "is", ast.NotEq: "is not", ast.Lt: "is less than", ast.LtE: "is at most", ast.Gt: "is greater than",
    ast.GtE: "is at least",
}
_FORMS = {
    "strip": "{} without whitespace around it", "lower": "{} in lower case", "upper": "{} in upper case",
    "casefold": "{} case-folded", "lstrip": "{} without leading whitespace", "rstrip": "{} without trailing whitespace",
}


@dataclass(frozen=True)
class SpecialCase:
    """A sentence about a special case; `sources` are the conditions that it tells.

    A guard on parameters has its `test` and its `outcome`, so that the sentence can be checked against cases.
    """

    sentence: str
    sources: frozenset[str] = frozenset()
    test: ast.expr | None = None
    outcome: ast.stmt | None = None


def special_cases(facts: Facts) -> tuple[SpecialCase, ...]:
    """The special cases that words can tell, in the order in which the function checks them."""
    teller = _Teller(facts)
    found = list(teller.guards(facts.body))
    loops = [node for node in facts.nodes if isinstance(node, (ast.For, ast.AsyncFor))]
    found += [case for node in loops for case in teller.elements(node)]
    found += [case for node in facts.nodes if isinstance(node, ast.Try) for case in caught(node)]
    return tuple({case.sentence: case for case in [*found, *_last_resort(facts, len(found))]}.values())


def _last_resort(facts: Facts, told: int) -> Iterator[SpecialCase]:
    """The constant at the end, where all that stands above it are special cases that have been told."""
    last = facts.body[-1] if len(facts.body) == told + 1 else None
    if isinstance(last, ast.Return) and last.value is not None and _constant(last.value):
        yield SpecialCase(f"If nothing else applies, {ast.unparse(last.value)} is returned.")


_NEVER_FAIL = frozenset(("len", "str", "repr", "bool", "isinstance", "type"))


def caught(node: ast.Try) -> Iterator[SpecialCase]:
    """What is returned where one or two calls fail, by the names of what is called."""
    calls = [child for statement in node.body for child in ast.walk(statement) if isinstance(child, ast.Call)]
    looked_up = any(isinstance(child, ast.Subscript) for statement in node.body for child in ast.walk(statement))
    names = [name for name in dict.fromkeys(ast.unparse(call.func) for call in calls) if name not in _NEVER_FAIL]
    if not 0 < len(names) <= MAX_CALLS or looked_up or not all(re.fullmatch(r"[\w.]+", name) for name in names):
        return
    for handler in node.handlers:
        result = handler.body[0] if len(handler.body) == 1 else None
        if isinstance(result, ast.Return) and (result.value is None or _constant(result.value)) and handler.type:
            kinds = ast.unparse(handler.type).strip("()")
            called = " or ".join(f"`{name}`" for name in names)
            value = ast.unparse(result.value) if result.value else "None"
            sentence = f"Where {called} fails with {kinds.replace(', ', ' or ')}, {value} is returned."
            yield SpecialCase(sentence, frozenset({caught_source(handler)}))


class _Teller:
    """Puts conditions on the parameters of one function into words."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.phrases = Phrases(facts)
        self.parameters = {parameter.name: parameter for parameter in facts.parameters}
        self.subjects = {name: f"`{name}`" for name in self.parameters}

    def guards(self, statements: list[ast.stmt]) -> Iterator[SpecialCase]:
        """The guards at the top of a body, up to the first other way out, of parameters that keep their values."""
        for statement in statements:
            branch: ast.stmt | None = statement
            while isinstance(branch, ast.If):
                sentence = self.guard(branch)
                if not sentence and _leaves(branch.body):
                    return
                if sentence:
                    yield SpecialCase(sentence, _sources(branch.test), branch.test, branch.body[0])
                branch = branch.orelse[0] if len(branch.orelse) == 1 else None
            if not isinstance(statement, ast.If) and _leaves([statement]):
                return
            for node in ast.walk(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                    self.subjects.pop(node.id, None)

    def guard(self, node: ast.If) -> str:
        """`if <condition>: return <constant>` and the like, "" where it is more than that."""
        condition = self.condition(node.test)
        outcome = self.outcome(node.body[0]) if len(node.body) == 1 else ""
        return f"If {condition}, {outcome}." if condition and outcome else ""

    def elements(self, node: ast.For | ast.AsyncFor) -> Iterator[SpecialCase]:
        """Elements of a parameter that a loop skips."""
        if not (isinstance(node.iter, ast.Name) and isinstance(node.target, ast.Name)):
            return
        if node.iter.id not in self.parameters:
            return
        inner = _Teller(self.facts)
        inner.subjects = {node.target.id: f"an element of `{node.iter.id}`"}
        for statement in node.body:
            if isinstance(statement, ast.If) and len(statement.body) == 1:
                condition = inner.condition(statement.test)
                if condition and isinstance(statement.body[0], ast.Continue):
                    yield SpecialCase(f"Where {condition}, it is skipped.", _sources(statement.test))
            if not isinstance(statement, ast.If):
                return

    def outcome(self, node: ast.stmt) -> str:
        """What a guard does, in words."""
        if isinstance(node, ast.Return):
            if node.value is None or _constant(node.value):
                return f"{ast.unparse(node.value) if node.value else 'None'} is returned"
            if isinstance(node.value, ast.Name) and node.value.id in self.subjects:
                return f"{self.subjects[node.value.id]} is returned as it is"
        if isinstance(node, ast.Raise) and node.exc is not None:
            kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            return f"{ast.unparse(kind)} is raised"
        return ""

    def condition(self, node: ast.expr) -> str:
        """A condition in words, "" where it is beyond them."""
        if isinstance(node, ast.BoolOp):
            parts = [self.condition(value) for value in node.values]
            joined = " and " if isinstance(node.op, ast.And) else " or "
            return joined.join(parts) if all(parts) and len(parts) <= MAX_OPERANDS else ""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self.negated(node.operand)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            return self.comparison(node.left, node.ops[0], node.comparators[0])
        if isinstance(node, ast.Call):
            return self.test(node)
        subject = self.subject(node)
        return f"{subject} is {self.full(node)}" if subject else ""

    def negated(self, node: ast.expr) -> str:
        """`not <condition>` in words."""
        subject = self.subject(node)
        if subject:
            return f"{subject} is {self.empty(node)}"
        if isinstance(node, ast.Call):
            told = self.test(node)
            for verb, other in ((" is ", " is not "), (" starts ", " does not start "), (" ends ", " does not end "),
                                (" consists ", " does not consist ")):
                if verb in told:
                    return told.replace(verb, other, 1)
        return ""

    def comparison(self, left: ast.expr, operator: ast.cmpop, right: ast.expr) -> str:
        """`x == 3`, `x is None`, `x in ("a", "b")`, `"a" in x` in words."""
        subject, other = self.subject(left), self.subject(right)
        if isinstance(operator, (ast.In, ast.NotIn)):
            no = isinstance(operator, ast.NotIn)
            if _constant(left) and other:
                return f"{other} {'does not contain' if no else 'contains'} {ast.unparse(left)}"
            if subject and _constant(right) and isinstance(right, (ast.Tuple, ast.List, ast.Set)):
                listed = ", ".join(ast.unparse(element) for element in right.elts)
                return f"{subject} is {'none' if no else 'one'} of {listed}"
            return f"{subject} is {'not ' if no else ''}in {other}" if subject and other else ""
        if isinstance(operator, (ast.Is, ast.IsNot)) and subject and _constant(right):
            return f"{subject} is {'not ' if isinstance(operator, ast.IsNot) else ''}{ast.unparse(right)}"
        verb = _ORDER.get(type(operator), "")
        if subject and verb and (_constant(right) or other):
            return f"{subject} {verb} {other or ast.unparse(right)}"
        return ""

    def test(self, node: ast.Call) -> str:
        """`isinstance(x, str)`, `x.startswith("a")`, `x.isdigit()` in words."""
        if isinstance(node.func, ast.Name) and node.func.id == "isinstance" and len(node.args) == 2:
            subject = self.subject(node.args[0])
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            return f"{subject} is a {' or '.join(map(ast.unparse, kinds))}" if subject else ""
        if not isinstance(node.func, ast.Attribute):
            return ""
        subject, method = self.subject(node.func.value), node.func.attr
        if subject and method in TESTS and not node.args:
            return f"{subject} {TESTS[method]}"
        if subject and method in ("startswith", "endswith") and len(node.args) == 1 and _constant(node.args[0]):
            elements = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
            return f"{subject} {method.removesuffix('with')} with {' or '.join(map(ast.unparse, elements))}"
        if method in _FORMS and not node.args and subject:
            return f"{_FORMS[method].format(subject)} is not empty"
        return ""

    def subject(self, node: ast.expr) -> str:
        """What a condition speaks of, in words: a parameter, its length, a part or a simple form of it; else ""."""
        if isinstance(node, ast.Name):
            return self.subjects.get(node.id, "") or self.phrases.of(node)
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and _constant(node.slice):
            return f"`{ast.unparse(node)}`" if f"`{node.value.id}`" == self.subjects.get(node.value.id) else ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "len" and node.args:
            inner = self.subject(node.args[0])
            return f"the {'number' if inner.startswith('the ') else 'length'} of {inner}" if inner else ""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and not node.args:
            inner = self.subject(node.func.value)
            return _FORMS[node.func.attr].format(inner) if inner and node.func.attr in _FORMS else ""
        return ""

    def empty(self, node: ast.expr) -> str:
        """What `not x` means for a subject, by the annotation where it tells."""
        annotation = self.parameters[node.id].annotation if isinstance(node, ast.Name) and (
            node.id in self.parameters) else ""
        bare = re.sub(r"^(?:typing\.)?Optional\[(.*)\]$|\s*\|\s*None$", lambda found: found.group(1) or "", annotation)
        missing = "" if bare == annotation else " or None"
        if bare == "bool":
            return f"false{missing}"
        spoken = self.subject(node)
        text = any(spoken.endswith(form.format("")) for form in _FORMS.values())
        if text or isinstance(node, ast.Call) or bare.split("[")[0].rsplit(".", 1)[-1].lower() in _SIZED:
            return f"empty{missing}"
        if bare in ("int", "float"):
            return f"zero{missing}"
        return "empty, zero, false or None"

    def full(self, node: ast.expr) -> str:
        """What `x` as a condition means."""
        empty = self.empty(node)
        if empty == "false":
            return "true"
        if "," in empty:
            return "neither empty, zero, false nor None"
        return f"neither {empty.replace(' or ', ' nor ')}" if " or " in empty else f"not {empty}"


_SIZED = frozenset({"str", "list", "dict", "tuple", "set", "bytes", "sequence", "mapping", "frozenset", "iterable"})


def _sources(test: ast.expr) -> frozenset[str]:
    return frozenset(ast.unparse(atom) for atom in atoms(test))


def _leaves(statements: list[ast.stmt]) -> bool:
    """Whether the function can be left from inside the statements."""
    return any(isinstance(node, (ast.Return, ast.Raise)) for statement in statements for node in ast.walk(statement))


def _constant(node: ast.expr) -> bool:
    """Whether an expression is a constant, or a container or negative of constants."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return all(map(_constant, node.elts))
    if isinstance(node, ast.Dict):
        return all(key is not None and _constant(key) for key in node.keys) and all(map(_constant, node.values))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _constant(node.operand)
    return isinstance(node, ast.Constant)
