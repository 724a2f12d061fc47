"""A function's syntax as instructions need it: signature, imports, exceptions raised, code of the body, docstring."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from copy import deepcopy

from pipeline.languages.python.facts import Facts, read_facts
from pipeline.languages.python.lowering import FunctionNode
from pipeline.languages.python.uses import BUILTINS
from pipeline.records import Candidate

GAP = "…"
"""What stands for a computed part of an error message."""
_ARITHMETIC = (ast.Mult, ast.Div, ast.Pow, ast.Sub, ast.Add, ast.MatMult)
_TYPING = ("from typing", "import typing", "from collections.abc", "from __future__")


def signature(facts: Facts, candidate: Candidate) -> str:
    """The `def` line in one line, with annotations and default values, constants that are not given written out."""
    function = _shown(facts, candidate)
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"def {function.name}({ast.unparse(function.args)}){returned}:"


def _shown(facts: Facts, candidate: Candidate) -> FunctionNode:
    """The function with the signature that is shown of it."""
    function: FunctionNode = deepcopy(facts.function)
    return function if candidate.given is not None else _WrittenOut(facts.tree).visit(function)


class _WrittenOut(ast.NodeTransformer):
    """Writes what a module's constants are in place of their names, in the signature of a function alone."""

    def __init__(self, tree: ast.Module) -> None:
        self.constants: dict[str, ast.expr] = {}
        for node in tree.body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(target, ast.Name) and node.value:
                self.constants[target.id] = self.visit(deepcopy(node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        """Its parameters and what it returns."""
        node.args = self.visit(node.args)
        node.returns = self.visit(node.returns) if node.returns else None
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The value of a constant; it holds none of their names itself."""
        return self.constants.get(node.id, node)


def returned_type(facts: Facts) -> str:
    """The annotation of the answer, "" where there is none."""
    return ast.unparse(facts.function.returns) if facts.function.returns else ""


def same_signature(given: str, wanted: str) -> bool:
    """Whether two `def` lines have the same names, types and default values, however they are written."""
    found = [_parsed_signature(line) for line in (given, wanted)]
    return found[0] is not None and found[0] == found[1]


def _parsed_signature(line: str) -> str | None:
    start = line.find("def ")
    try:
        node = ast.parse(f"{line[max(start, 0):].rstrip().rstrip(':')}: ...").body[0]
    except (SyntaxError, ValueError, RecursionError):
        return None
    if not isinstance(node, ast.FunctionDef):
        return None
    return ast.dump(ast.Tuple([ast.Name(node.name), ast.Lambda(node.args, node.returns or ast.Constant(None))]))


def brought_along(candidate: Candidate) -> tuple[Facts, ...]:
    """The facts about the members of a candidate of which nothing is given, its constants as one function's body."""
    if candidate.given is not None:
        return ()
    tree = ast.parse(candidate.program)
    members = {name for one in candidate.members for name in one.names.split(", ")}
    functions = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name in members]
    body = [one for one in tree.body if isinstance(one, (ast.Assign, ast.AnnAssign))]
    head = ast.parse("def constants(): ...").body[0]
    assert isinstance(head, ast.FunctionDef)
    head.body = [*body, ast.Pass()]
    return tuple(Facts(tree, one) for one in (*functions, head)) if members else ()


def needed_imports(facts: Facts, candidate: Candidate, spoken: str = "") -> tuple[str, ...]:
    """Those of a program's import lines that the signature needs or that a text has `spoken` of as code; for functions
    with libraries, all but those for types.

    `from __future__ import annotations` is kept only where an annotation has a name that nothing binds.
    """
    bound = {line: _bound_by(line) for line in candidate.imports}
    asked = {node.id for node in ast.walk(_signature_tree(_shown(facts, candidate))) if isinstance(node, ast.Name)}
    postponed = bool(asked.difference(BUILTINS, *bound.values()))
    asked |= set(re.findall(r"(?<!['\"\w])[A-Za-z_]\w*(?!['\"\w])", spoken))

    def needed(line: str) -> bool:
        if line.startswith("from __future__"):
            return postponed
        return bool(bound[line] & asked) or (bool(candidate.libraries) and not line.startswith(_TYPING))

    return tuple(line for line in candidate.imports if needed(line))


def _signature_tree(function: FunctionNode) -> ast.AST:
    """The annotations and defaults alone; annotations in quotes are read as well."""
    arguments = function.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    everything += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    expressions = [argument.annotation for argument in everything] + [function.returns]
    expressions += [*arguments.defaults, *arguments.kw_defaults]
    return ast.Tuple([_unquoted(node) for node in expressions if node is not None], ast.Load())


def _unquoted(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node
    return node


def _bound_by(line: str) -> set[str]:
    statement = ast.parse(line).body[0]
    names = statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else []
    return {(alias.asname or alias.name).split(".")[0] for alias in names}


def raised(facts: Facts) -> Iterator[tuple[str, str]]:
    """Each `raise` of the body: the exception's type and its message, "" for what is not written out."""
    for node in facts.nodes:
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            argument = node.exc.args[0] if node.exc.args else None
            message = _last_value(facts, argument) if isinstance(argument, ast.Name) else argument
            yield ast.unparse(node.exc.func), _template(message)
        elif isinstance(node, ast.Raise) and isinstance(node.exc, (ast.Name, ast.Attribute)):
            yield ast.unparse(node.exc), ""


def _template(message: ast.expr | None) -> str:
    """A message in one line with gaps for its computed parts."""
    while isinstance(message, ast.BinOp) and isinstance(message.op, ast.Mod):
        message = message.left
    if isinstance(message, ast.Call) and isinstance(message.func, ast.Attribute) and message.func.attr == "format":
        message = message.func.value
    text = ""
    if isinstance(message, ast.Constant) and isinstance(message.value, str):
        text = re.sub(r"%[-+ #0-9.]*[a-z]|\{[^{}]*\}", GAP, message.value)
    elif isinstance(message, ast.JoinedStr):
        text = "".join(str(part.value) if isinstance(part, ast.Constant) else GAP for part in message.values)
    return " ".join(text.split())


def _last_value(facts: Facts, name: ast.Name) -> ast.expr | None:
    """What was assigned to a name last above its use, in the order of the text."""
    values = [
        node.value for node in facts.nodes
        if isinstance(node, ast.Assign) and node.lineno < name.lineno and ast.unparse(node.targets[0]) == name.id]
    return values[-1] if values else None


def arithmetic(facts: Facts) -> int:
    """How many arithmetic operations there are; those in bounds of slices and those that join texts don't count."""
    places = {id(part) for node in facts.nodes if isinstance(node, ast.Slice) for part in ast.walk(node)}
    texts = (ast.JoinedStr, ast.List)
    return sum(
        isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, _ARITHMETIC) and id(node) not in places
        and not any(isinstance(part, texts) or isinstance(getattr(part, "value", None), str) for part in ast.walk(node))
        for node in facts.nodes)


def local_names(facts: Facts) -> set[str]:
    """The names that the body gives to things."""
    stored = {n.id for n in facts.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return stored - {parameter.name for parameter in facts.parameters}


def code_without_texts(facts: Facts) -> str:
    """The body's code with a mark in place of each text."""
    copied = ast.parse(ast.unparse(facts.function)).body[0]
    assert isinstance(copied, (ast.FunctionDef, ast.AsyncFunctionDef)), "it is a function"
    body = copied.body[len(copied.body) - len(facts.body):]
    return "\n".join(ast.unparse(_WithoutTexts().visit(node)) for node in body)


class _WithoutTexts(ast.NodeTransformer):
    """Puts a mark in place of each text."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.Name("§", ast.Load()) if isinstance(node.value, (str, bytes)) else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        del node
        return ast.Name("§", ast.Load())


def raw_docstring(facts: Facts) -> str:
    """The docstring as it stands there, "" where there is none."""
    return ast.get_docstring(facts.function, clean=False) or ""


def with_docstring(program: str, name: str, text: str) -> Facts:
    """The facts about a program's function as they are under another docstring."""
    facts = read_facts(program, name)
    has = ast.get_docstring(facts.function, clean=False) is not None
    statement = ast.copy_location(ast.Expr(ast.Constant(text)), facts.function.body[0])
    facts.function.body[: int(has)] = [ast.fix_missing_locations(statement)]
    return Facts(facts.tree, facts.function)


def docstring_of(text: str) -> str:
    """The docstring of an instruction, whose last statement is the function."""
    node = ast.parse(text).body[-1]
    assert isinstance(node, ast.FunctionDef), "an instruction ends with the function"
    return ast.get_docstring(node) or ""


def imports_only(source: str, name: str) -> bool:
    """Whether a statement does nothing but import the function of that name from somewhere."""
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return False
    return all(
        isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] == [name] for node in statements)
