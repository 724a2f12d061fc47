"""What each parameter of a function is: annotation, docstring, default and usage, weighed, with the evidence."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

from pipeline.suites.domain.conformity import fits
from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.spec import (
    Anything,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Fixed,
    Frame,
    Items,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
    options_of,
    with_rare,
)
from pipeline.suites.inference.clues import Clue, merged
from pipeline.suites.inference.evidence.annotations import Aliases, specification
from pipeline.suites.inference.evidence.doc_examples import MAX_EXAMPLES, doctest_arguments, shown
from pipeline.suites.inference.evidence.docstrings import Described, described
from pipeline.suites.inference.evidence.prose import constrained
from pipeline.suites.inference.features import adapted, features_of
from pipeline.suites.inference.handing_on import handed_on
from pipeline.suites.inference.interpreter.body import clues_of
from pipeline.suites.inference.interpreter.parameter_relations import WORDS_FOR, by_default, leads, relations_of
from pipeline.suites.inference.off_types import handles_wrong_types, with_wrong_types
from pipeline.suites.inference.resolution.specification import resolve
from pipeline.suites.rules import changes
from pipeline.suites.subject import Subject


def infer(subject: Subject) -> tuple[Parameter, ...]:
    """The parameters of the subject, in the order of its signature."""
    function, names = subject.function, subject.names
    helpers = [member.node for member in subject.members if not member.owner]
    clues = clues_of(function, names, helpers)
    text = described(subject.docstring)
    aliases = _aliases(subject.tree)
    made = []
    for argument, kind, default in _arguments(function.args):
        clue = merged(clues[argument.arg].related())
        declared = _declared(argument, text, aliases)
        if declared.spec is None and helpers:
            declared = _declared_elsewhere(handed_on(function, argument.arg, helpers), aliases)
        found = _parameter(argument.arg, kind, default, declared, clue)
        made.append(_within_words(found, f"{text.about(argument.arg)}\n{_annotated(argument.annotation)}".strip()))
    made = _with_examples(made, text, function)
    made = [replace(one, spec=adapted(one.spec, features_of(function, *helpers))) for one in made]
    wrong = handles_wrong_types(function)
    typed = [with_wrong_types(parameter, clues[parameter.name], wrong) for parameter in made]
    return _related(typed, function, names)


def _annotated(annotation: ast.expr | None) -> str:
    """The texts beside a type in `Annotated[...]`."""
    if not isinstance(annotation, ast.Subscript) or not ast.unparse(annotation.value).endswith("Annotated"):
        return ""
    inner = annotation.slice.elts[1:] if isinstance(annotation.slice, ast.Tuple) else []
    return " ".join(part.value for part in inner if isinstance(part, ast.Constant) and isinstance(part.value, str))


def _within_words(parameter: Parameter, words: str) -> Parameter:
    """The parameter within what the documentation promises of it."""
    spec = constrained(parameter.spec, words) if words else parameter.spec
    if spec == parameter.spec:
        return parameter
    line = " ".join(words.split())[:80]
    return replace(parameter, spec=spec, evidence=(*parameter.evidence, f"the documentation says: {line}"))


@changes("examples: all")
def _with_examples(parameters: list[Parameter], text: Described, function: ast.FunctionDef) -> list[Parameter]:
    """The parameters with the values that the docstring shows for each, and texts with those that it shows at all."""
    whole = ast.get_docstring(function) or ""
    positional = [parameter.name for parameter in parameters if parameter.kind == "positional"]
    called = doctest_arguments(whole, function.name, positional)
    required = [parameter for parameter in parameters if not parameter.optional]
    made = []
    for parameter in parameters:
        values = [*called.get(parameter.name, []), *shown(text.about(parameter.name))]
        if required == [parameter]:
            values += shown(text.prose)
        made.append(_with_values(parameter, values, {one.name for one in parameters}))
    return made


def _with_values(parameter: Parameter, values: list[Any], names: set[str]) -> Parameter:
    spec, kept = parameter.spec, list[Any]()
    if isinstance(spec, Anything) or parameter.kind in ("variadic", "keywords"):
        return parameter
    for value in values:
        new = all(type(value) is not type(one) or value != one for one in kept)
        if new and fits(spec, value) and not (isinstance(value, str) and value in names) and len(kept) < MAX_EXAMPLES:
            kept.append(value)
    if not kept:
        return parameter
    texts = tuple(value for value in kept if isinstance(value, str) and re.search(r"[^a-zA-Z ]", value))
    options = [replace(one, examples=texts) if _open_text(one) else one for one in options_of(spec)]
    evidence = (*parameter.evidence, f"the documentation shows {', '.join(map(repr, kept[:3]))}"[:120])
    rare = list(spec.rare) if isinstance(spec, Either) else []
    return replace(parameter, spec=either(options, rare), examples=tuple(kept), evidence=evidence)


def _open_text(spec: Spec) -> TypeGuard[Text]:
    return isinstance(spec, Text) and not spec.closed


def _related(parameters: list[Parameter], function: ast.FunctionDef, names: dict[str, str]) -> tuple[Parameter, ...]:
    """The parameters with their relations: those that the body shows, and else those that like kinds suggest."""
    known = {relation.target: relation for relation in relations_of(function, names)}
    found = tuple(replace(p, relation=known.get(p.name)) for p in parameters)
    likely = {name: made for name, made in by_default(found).items() if made.source not in known}
    made = {parameter.name: parameter for parameter in found}
    for parameter in found:
        relation = likely.get(parameter.name)
        free = relation is not None and not leads(made.values(), relation.source, parameter.name)
        made[parameter.name] = _with_relation(parameter, relation if free else None)
    return tuple(made.values())


def _with_relation(parameter: Parameter, likely: Relation | None) -> Parameter:
    relation = likely or parameter.relation
    if relation is None:
        return parameter
    why = f"{WORDS_FOR[relation.kind]} {relation.source}"
    return replace(parameter, relation=relation, evidence=(*parameter.evidence, why))


@changes("search: widened")
def widened(parameter: Parameter, rarely: bool) -> Parameter:
    """A parameter without a declared type that may be anything common too: the guess has turned out wrong."""
    if parameter.declared or parameter.kind in ("variadic", "keywords"):
        return parameter
    spec = parameter.spec
    options = options_of(spec)
    rare = spec.rare if isinstance(spec, Either) else ()
    # What asks for a series deals with a table, too, and the other way round.
    tables: list[Spec] = [Frame()] if any(isinstance(one, Column) for one in options) else []
    tables += [Column()] if any(isinstance(one, Frame) for one in options) else []
    more = [guess for guess in (*tables, *_GUESSES) if guess not in options]
    made = with_rare(spec, more) if rarely else either([*options, *more], list(rare))
    evidence = (*parameter.evidence, "the first guess did not suffice" if rarely else "the first guess led to nonsense")
    return replace(parameter, spec=made, evidence=evidence)


_GUESSES: tuple[Spec, ...] = (
    Whole(),
    Real(),
    Text(),
    Items(Whole()),
    Items(Text()),
    Dictionary(Text(), Anything()),
    Binary(),
    Anything(),
    Items(Items(Whole())),
    Items(Dictionary(Text(), Anything())),
    Fixed((Whole(), Whole())),
    Items(Whole(), "set"),
)


def documented_exceptions(subject: Subject) -> tuple[str, ...]:
    """The names of the exceptions that the docstring promises."""
    return described(subject.docstring).raises


def _aliases(tree: ast.Module) -> Aliases:
    """Module-level names that stand for types: `Number = Union[int, float]`, bounds of type variables, and classes."""
    found: Aliases = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            found[node.name] = node
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            found[node.targets[0].id] = node.value
    return found


def _arguments(arguments: ast.arguments) -> list[tuple[ast.arg, str, ast.expr | None]]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults))
    defaults = [*missing, *arguments.defaults]
    result: list[tuple[ast.arg, str, ast.expr | None]] = [
        (argument, "positional", default) for argument, default in zip(positional, defaults, strict=True)
    ]
    if arguments.vararg is not None:
        result.append((arguments.vararg, "variadic", None))
    result += [(a, "keyword", d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    if arguments.kwarg is not None:
        result.append((arguments.kwarg, "keywords", None))
    return result


@dataclass(frozen=True)
class _Declaration:
    """What a parameter is said to be, None where nothing is; `annotated` where it is the annotation that says so.

    It is `likely` what members are said to take that it is handed on to.
    """

    spec: Spec | None
    why: str = ""
    annotated: bool = False
    likely: Spec | None = None


def _declared(argument: ast.arg, text: Described, aliases: Aliases) -> _Declaration:
    spec = specification(argument.annotation, aliases)
    if spec is not None and not isinstance(spec, Anything):
        told = ast.unparse(argument.annotation) if argument.annotation else ""
        return _Declaration(spec, f"annotated {told}", annotated=True)
    if argument.arg in text.parameters:
        found, words = text.parameters[argument.arg]
        return _Declaration(found, f"documented as {words}")
    return _Declaration(spec)


def _declared_elsewhere(taken: Iterable[tuple[ast.FunctionDef, ast.arg]], aliases: Aliases) -> _Declaration:
    """What members are said to take; they may be given it in some cases only, so it is no more than likely."""
    known = []
    for member, argument in taken:
        found = _declared(argument, described(ast.get_docstring(member) or ""), aliases)
        if found.spec is not None and not isinstance(found.spec, Anything):
            known.append((member.name, found.spec))
    why = f"{' and '.join(dict.fromkeys(name for name, _ in known))} is said to take it" if known else ""
    return _Declaration(None, why, likely=either([spec for _, spec in known]) if known else None)


def _literal(node: ast.expr | None) -> Any:
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        return None


_MISSING: dict[str, Spec] = {
    "bool": Boolean(),
    "int": Whole(),
    "float": Real(),
    "str": Text(),
    "bytes": Binary(),
    "list": Items(Anything()),
    "tuple": Items(Anything(), "tuple"),
    "dict": Dictionary(Text(), Anything()),
}


def _parameter(
    name: str, kind: str, default: ast.expr | None, declaration: _Declaration, clue: Clue
) -> Parameter:
    declared, value = declaration.spec, _literal(default)
    evidence = [declaration.why] if declaration.why else []
    if kind == "variadic":
        item = merged(clue.items().related())
        # Documentation may tell of the tuple that the body sees.
        inside = declared.item if isinstance(declared, Items) and not declaration.annotated else declared
        places = [merged(clue.positions[place].related()) for place in sorted(clue.positions)]
        spec: Spec = resolve(item, inside, "", 1)
        if declared is None and places and isinstance(spec, Anything):
            known = [resolve(one, None, "", 1) for one in places]
            spec = either([one for one in known if not isinstance(one, Anything)] or [spec])
            item = merged([item, *places])
        spec = either([spec, Nothing()]) if item.none else spec
        return Parameter(name, kind, spec, True, None, declared is not None, (*evidence, *item.evidence))
    if kind == "keywords":
        found = resolve(clue, Dictionary(Text(), declared or Anything()), name)
        return Parameter(name, kind, found, True, None, declared is not None, (*evidence, *clue.evidence))
    base = declared or declaration.likely
    if base is None and value is not None:
        base = _MISSING.get(type(value).__name__)
        if base is not None:
            evidence.append(f"its default is {value!r}")
    spec = resolve(clue, base, name)
    if isinstance(value, float) and isinstance(spec, Whole):
        spec = either([spec, Real()])
    if _none_is_the_default(default) or (declared is not None and clue.none):
        spec = either([spec, Nothing()])
    spec = _with_truths(spec, clue) if declared is not None else spec
    # An untyped number is as likely to be of the other kind.
    if declared is None and type(value) is int and clue.votes.get("number"):
        spec = either([spec, Real()])
    return Parameter(
        name,
        kind,
        spec,
        default is not None,
        value,
        declared is not None,
        tuple(dict.fromkeys([*evidence, *clue.evidence])),
        annotated=declaration.annotated,
    )


def _with_truths(spec: Spec, clue: Clue) -> Spec:
    """The specification with True or False, where the body compares the value with one that is not among what it is."""
    truths = [value for value in clue.constants if isinstance(value, bool)]
    return either([spec, Choice(tuple(truths))]) if truths and not any(fits(spec, one) for one in truths) else spec


def _none_is_the_default(default: ast.expr | None) -> bool:
    return isinstance(default, ast.Constant) and default.value is None
