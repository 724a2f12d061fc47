"""What the constants and conditions of a body are for, in sentences, where neither the author nor an example tells.

Each sentence says what holds at one place of the body: what is compared, computed, put together or answered there, and
under which condition. It names no statement, and gives no order of steps.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from pipeline.instruct.constants import Constant, constants
from pipeline.instruct.decisions import Decision, atoms, tests
from pipeline.instruct.paraphrase import MAX_LISTED, Paraphrase, is_constant, listed, negated, slotted
from pipeline.instruct.vocabulary import operations_found
from pipeline.languages.python_facts import Facts

MAX_CHARS = 260
MAX_STEPS = 2
MATTERS = "It matters whether"
FORMULA = "a formula"
"""What is named as told where all arithmetic of a body stands in sentences."""
_REGEX = {
    "sub": "Each match of the regular expression {0} in {2} is replaced by {1}.",
    "subn": "Each match of the regular expression {0} in {2} is replaced by {1}.",
    "split": "{1} is split at each match of the regular expression {0}.",
    "findall": "All matches of the regular expression {0} in {1} are looked for.",
    "finditer": "All matches of the regular expression {0} in {1} are looked for.",
    "match": "A match of the regular expression {0} is looked for at the beginning of {1}.",
    "fullmatch": "It is tried to match the whole of {1} with the regular expression {0}.",
    "search": "The first match of the regular expression {0} in {1} is looked for.",
}
_ADDED = {"append": "at the end of", "add": "to", "extend": "at the end of", "appendleft": "at the beginning of"}
_CHANGED: dict[type[ast.operator], str] = {
    ast.Add: "{0} grows by {1}", ast.Sub: "{0} shrinks by {1}", ast.Mult: "{0} is multiplied by {1}",
    ast.Div: "{0} is divided by {1}", ast.FloorDiv: "{0} is divided by {1} and rounded down",
    ast.Mod: "{0} becomes its remainder when divided by {1}", ast.Pow: "{0} is raised to the power of {1}",
    ast.LShift: "{0} is shifted left by {1} bits", ast.RShift: "{0} is shifted right by {1} bits",
}


@dataclass(frozen=True)
class Use:
    """A sentence; `told` names what it tells: constants as `constant 80`, conditions by their source."""

    sentence: str
    told: frozenset[str]


class Uses:
    """Tells what the parts of one function are for."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.words = Paraphrase(facts)

    def of_constants(self, untold: Iterable[Constant]) -> list[Use]:
        """What each place of the constants is for; nothing of a constant of which one place is beyond words."""
        values = {repr(constant.value) for constant in untold}
        places: dict[str, list[str]] = {}
        for constant in constants(self.facts):
            if repr(constant.value) in values:
                places.setdefault(repr(constant.value), []).append(self._sentence(constant.node))
        return [
            Use(sentence, frozenset({named(value)}))
            for value, sentences in places.items() if all(sentences) for sentence in dict.fromkeys(sentences)]

    def of_decisions(self, untold: Iterable[Decision]) -> list[Use]:
        """What each condition asks, where words reach."""
        wanted = {decision.source for decision in untold}
        found = []
        for node in self.facts.nodes:
            for test in tests(node):
                for atom in atoms(test):
                    source = ast.unparse(atom)
                    sentence = self._decision(atom) if source in wanted else ""
                    if self._says_enough(sentence):
                        found.append(Use(sentence, frozenset({source})))
        return found

    def of_operations(self, untold: Iterable[str]) -> list[Use]:
        """What is done by the operations of those names, where words reach each of their places."""
        wanted = set(untold)
        found = []
        for operation, places in operations_found(self.facts):
            if operation.name in wanted:
                sentences = [self._sentence(place) for place in places if isinstance(place, ast.expr)]
                if sentences and all(sentences):
                    found += [Use(each, frozenset({operation.name})) for each in dict.fromkeys(sentences)]
        return found

    def of_arithmetic(self) -> list[Use]:
        """All formulas of the body, or none where words don't reach one of them."""
        inner = {id(child) for node in self.facts.nodes if isinstance(node, ast.BinOp)
                 for child in ast.walk(node) if child is not node}
        formulas = [node for node in self.facts.nodes if isinstance(node, ast.BinOp) and id(node) not in inner]
        sentences = [self._sentence(node) for node in formulas]
        told = frozenset({FORMULA})
        return [Use(each, told) for each in dict.fromkeys(sentences)] if all(sentences) else []

    def _says_enough(self, sentence: str) -> bool:
        """Whether a sentence says what follows from a condition, or asks something of a parameter."""
        vague = sentence.startswith(MATTERS)
        return bool(sentence) and not (vague and not any(f"`{name}`" in sentence for name in self.words.parameters))

    def _sentence(self, node: ast.expr) -> str:
        """What stands at a place, told from the widest expression that words reach."""
        branch = self._branch_around(node)
        if branch and _holds(branch, node):
            return branch
        around = [node, *self._expressions_around(node)]
        for expression in reversed(around):
            told = self._told(expression)
            if told and len(told) <= MAX_CHARS and _holds(told, node):
                return told[:1].upper() + told[1:] if told[:2].isalpha() else told
        return ""

    def _branch_around(self, node: ast.AST) -> str:
        """The sentence on the branch whose one or two statements hold a place."""
        while not isinstance(node, ast.stmt):
            node = self._parents.get(id(node), ast.Pass())
        owner = self._parents.get(id(node))
        branch = self._branch(owner) if isinstance(owner, ast.If) else ""
        return branch if len(branch) <= MAX_CHARS else ""

    def _expressions_around(self, node: ast.AST) -> Iterator[ast.expr]:
        parent = self._parents.get(id(node))
        while parent is not None and not isinstance(parent, ast.stmt):
            if isinstance(parent, ast.expr):
                yield parent
            parent = self._parents.get(id(parent))

    @cached_property
    def _parents(self) -> dict[int, ast.AST]:
        return {id(child): node for node in self.facts.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def _atoms(self) -> dict[int, ast.AST]:
        """The conditions that decide something, each with the node that it decides."""
        return {id(atom): node for node in self.facts.nodes for test in tests(node) for atom in atoms(test)}

    def _told(self, node: ast.expr) -> str:
        if id(node) in self._atoms:
            return self._decision(node)
        for teller in (self._form, self._table, self._alternative, self._either, self._library, self._ranged):
            told = teller(node)
            if told:
                return told
        value = self.words.of(node)
        return self._placed(node, value) if value else ""

    def _decision(self, atom: ast.expr) -> str:
        """What follows from a condition, where words reach; else what it asks."""
        owner = self._atoms.get(id(atom))
        branch = self._branch(owner) if isinstance(owner, ast.If) else ""
        if branch and len(branch) <= MAX_CHARS:
            return branch
        either = self._either(owner) if isinstance(owner, ast.IfExp) else ""
        if either and len(either) <= MAX_CHARS:
            return either
        asked = self.words.condition(atom)
        if not asked:
            return ""
        if isinstance(owner, ast.While):
            return f"A loop goes on only while {asked}."
        if isinstance(owner, ast.comprehension) and len(owner.ifs) == 1 and owner.ifs[0] is atom:
            return f"Only elements are taken for which {asked}."
        return f"{MATTERS} {asked}."

    def _branch(self, node: ast.If) -> str:
        """A condition with what is done where it holds and where it doesn't."""
        asked, done = self.words.combined(node.test), self._effect(node.body)
        if not asked or not done:
            return ""
        if node.orelse and not (other := self._effect(node.orelse)) and not isinstance(node.orelse[0], ast.If):
            return ""
        after = f", else {other}" if node.orelse and other else ""
        return f"{self._before(node)} {asked}, {done}{after}."

    def _before(self, node: ast.If) -> str:
        """How a branch begins: what stands around it, as far as words reach."""
        parent = self._parents.get(id(node))
        if not isinstance(parent, ast.If):
            return "Where"
        if node in parent.orelse:
            return "Otherwise, where" if len(parent.orelse) == 1 else "Where an earlier condition does not hold, and"
        outer = self.words.combined(parent.test)
        return f"Where {outer} and besides" if outer and len(outer) < MAX_CHARS // 2 else "In some cases, where"

    def _effect(self, statements: list[ast.stmt]) -> str:
        """What one or two statements do, in words."""
        done = [self._step(statement) for statement in statements]
        return " and ".join(done) if all(done) and len(done) <= MAX_STEPS else ""

    def _step(self, node: ast.stmt) -> str:
        if isinstance(node, ast.Continue):
            return "nothing more is done in this pass of the loop"
        if isinstance(node, ast.Break):
            return "the loop ends"
        if isinstance(node, ast.Return):
            value = self.words.of(node.value) if node.value else "None"
            return f"{value} is returned" if value else ""
        if isinstance(node, ast.Raise) and node.exc is not None:
            kind = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            return f"{ast.unparse(kind)} is raised"
        if isinstance(node, (ast.Assign, ast.AugAssign)) and node.value is not None:
            return self._assigned(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            return self._added(node.value)
        return ""

    def _assigned(self, node: ast.Assign | ast.AugAssign) -> str:
        target = self._target(node.targets[0] if isinstance(node, ast.Assign) else node.target)
        value = self.words.of(node.value)
        if not target or not value:
            return ""
        if isinstance(node, ast.Assign):
            return f"{target} becomes {value}"
        return _CHANGED[type(node.op)].format(target, value) if type(node.op) in _CHANGED else ""

    def _added(self, node: ast.Call) -> str:
        """`x.append(y)` in words."""
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _ADDED or len(node.args) != 1:
            return ""
        holder, value = self.words.of(node.func.value), self.words.of(node.args[0])
        return f"{value} is added {_ADDED[node.func.attr]} {holder}" if holder and value else ""

    def _placed(self, node: ast.expr, value: str) -> str:
        """What becomes of a value at its place: answered, kept, added to something, or used."""
        parent = self._parents.get(id(node))
        where = self._where(node)
        if isinstance(parent, ast.Return):
            return f"{value} is returned{where}." if where else f"The answer is {value}."
        if isinstance(parent, ast.AnnAssign):
            name = self._target(parent.target)
            return f"{name} becomes {value}{where}." if name else ""
        if isinstance(parent, (ast.Assign, ast.AugAssign)):
            done = self._assigned(parent)
            several = isinstance(parent, ast.Assign) and isinstance(parent.targets[0], ast.Tuple)
            return f"{done}{where}." if done else f"On the way, {value} is used{where}." if several else ""
        if isinstance(parent, ast.Call) and parent.args == [node]:
            done = self._added(parent)
            if done:
                return f"{done}{where}."
        if isinstance(parent, ast.For) and is_constant(node):
            return f"In turn, in this order, {listed(node)} are gone through."
        if is_constant(node):
            return ""
        return f"On the way, {value} is used{where}."

    def _target(self, target: ast.expr) -> str:
        """The name of what gets a value."""
        if isinstance(target, ast.Name):
            return f"`{target.id}`" if target.id in self.words.parameters else f"the intermediate `{target.id}`"
        if isinstance(target, ast.Subscript):
            return self.words.of(target)
        return ""

    def _where(self, node: ast.AST) -> str:
        """The condition of the innermost branch that a place stands in: ", where ..."; "" outside of all branches."""
        child, parent = node, self._parents.get(id(node))
        while parent is not None and not isinstance(parent, (ast.FunctionDef, ast.Lambda)):
            if isinstance(parent, ast.If) and child is not parent.test:
                asked = self.words.combined(parent.test)
                inside = any(child is statement for statement in parent.body)
                if not asked:
                    return " in some cases"
                return f", where {asked}" if inside else f", where {negated(asked)}"
            if isinstance(parent, ast.ExceptHandler):
                return ", where an error is caught"
            child, parent = parent, self._parents.get(id(parent))
        return ""

    def _form(self, node: ast.expr) -> str:
        """A text that is put together from a template."""
        template = ""
        if isinstance(node, ast.JoinedStr):
            template = slotted(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and (
                isinstance(node.left.value, str)):
            template = node.left.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format" and (
                isinstance(node.func.value, ast.Constant)):
            template = str(node.func.value.value)
        if not template:
            return ""
        return f"A text of the form {template!r} is put together{self._where(node)}."

    def _table(self, node: ast.expr) -> str:
        """A dictionary whose keys are constants: a table, or the shape of what is made."""
        if not isinstance(node, ast.Dict) or not node.keys or len(node.keys) > MAX_LISTED:
            return ""
        keys = [key for key in node.keys if key is not None and is_constant(key)]
        if len(keys) != len(node.keys):
            return ""
        if all(map(is_constant, node.values)):
            entries = zip(keys, node.values, strict=True)
            return "A table has " + ", ".join(f"{listed(value)} for {listed(key)}" for key, value in entries) + "."
        values = [self.words.of(value) for value in node.values]
        if all(values):
            entries_ = zip(keys, values, strict=True)
            return f"A dictionary is made with {', '.join(f'{v} under {listed(k)}' for k, v in entries_)}" \
                f"{self._where(node)}."
        fixed = any(is_constant(value) for value in node.values)
        return "" if fixed else f"A dictionary with the keys {', '.join(map(listed, keys))} is made{self._where(node)}."

    def _alternative(self, node: ast.expr) -> str:
        """`x or "a"`."""
        if not isinstance(node, ast.BoolOp) or not isinstance(node.op, ast.Or) or not is_constant(node.values[-1]):
            return ""
        first = self.words.of(node.values[0]) if len(node.values) == 2 else ""
        used = listed(node.values[-1])
        return f"Where {first} is falsy, {used} is used in its place." if first else ""

    def _either(self, node: ast.expr) -> str:
        """`a if c else b`."""
        if not isinstance(node, ast.IfExp):
            return ""
        first, second, asked = self.words.of(node.body), self.words.of(node.orelse), self.words.combined(node.test)
        return f"Where {asked}, {first} is used, else {second}." if first and second and asked else ""

    def _library(self, node: ast.expr) -> str:
        """Calls whose constants have a meaning of their own: regular expressions, formats of dates, options."""
        if not isinstance(node, ast.Call):
            return ""
        name = ast.unparse(node.func)
        if name.startswith("re.") and name[3:] in _REGEX and not node.keywords:
            arguments = [self.words.of(argument) for argument in node.args]
            known = len(arguments) == (3 if name[3:] in ("sub", "subn") else 2) and all(arguments)
            return _REGEX[name[3:]].format(*arguments) if known else ""
        if name in ("timedelta", "datetime.timedelta", "dt.timedelta") and not node.args and all(
                is_constant(word.value) for word in node.keywords):
            parts = ", ".join(f"{word.arg} {ast.unparse(word.value)}" for word in node.keywords)
            return f"A duration of {parts} plays a part{self._where(node)}."
        if name.rsplit(".", 1)[-1] == "strptime" and len(node.args) == 2 and is_constant(node.args[1]):
            return f"A time is read in the format {listed(node.args[1])}."
        if isinstance(node.func, ast.Attribute) and node.func.attr == "replace" and len(node.args) == 2 and all(
                map(is_constant, node.args)) and not self.words.of(node):
            return f"Each {listed(node.args[0])} is replaced by {listed(node.args[1])} on the way{self._where(node)}."
        if isinstance(node.func, ast.Attribute) and node.func.attr == "join" and is_constant(node.func.value):
            return "" if self.words.of(node) else f"Parts are joined with {listed(node.func.value)}{self._where(node)}."
        return ""

    def _ranged(self, node: ast.expr) -> str:
        """`range(1, n + 1)`."""
        if not isinstance(node, ast.Call) or ast.unparse(node.func) != "range" or node.keywords:
            return ""
        ends = [self.words.of(argument) for argument in node.args]
        if not all(ends) or len(ends) < 2:
            return ""
        step = f" in steps of {ends[2]}" if len(ends) == 3 else ""
        return f"The whole numbers from {ends[0]} up to, but without, {ends[1]} are gone through{step}."


def _holds(sentence: str, node: ast.expr) -> bool:
    """Whether a sentence holds the constant at a place, or speaks of a place that is none."""
    if not isinstance(node, ast.Constant):
        return True
    shown = repr(node.value)
    return shown in sentence or (isinstance(node.value, str) and shown[1:-1] in sentence)


def named(value: str) -> str:
    """How a constant that a sentence tells is named; `value` is its `repr`."""
    return f"constant {value}"
