"""Which keys dictionaries have, told by what is looked up in them."""

from __future__ import annotations

import ast
from dataclasses import replace

from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.spec import Dictionary, Either, Frame, Nothing, Text, Whole, either, options_of
from pipeline.suites.inference.interpreter.parameter_relations import SHARES
from pipeline.suites.inference.likely_relations import LIKELY
from pipeline.suites.rules import changes


@changes("dictionaries: keys of others")
def keyed(parameters: tuple[Parameter, ...]) -> tuple[Parameter, ...]:
    """Dictionaries that are asked for the columns of a table, or for the keys of another one, have such keys."""
    turned: dict[str, Relation] = {}
    for p in parameters:
        relation = p.relation
        kinds = {type(one) for one in options_of(p.spec)} & {Frame, Dictionary}
        if relation is not None and relation.kind in ("places", "members") and kinds:
            # Where it is asked first whether a key is there, as dictionaries are merged, few inputs have all of them.
            share = SHARES["keyed"] if Frame in kinds or relation.kind == "places" else LIKELY
            for source in (relation.source, *relation.others):
                turned[source] = Relation("keyed", source, p.name, share)
    tables = {p.name for p in parameters if any(isinstance(one, Dictionary) for one in options_of(p.spec))}
    kept = {name: relation for name, relation in turned.items() if name in tables}
    sources = {relation.source for relation in kept.values()}
    return tuple(
        replace(p, relation=kept.get(p.name, None if p.name in sources else p.relation)) for p in parameters)


@changes("dictionaries: numbers as keys")
def with_numbers_as_keys(parameters: tuple[Parameter, ...], function: ast.FunctionDef) -> tuple[Parameter, ...]:
    """Dictionaries of whose keys nothing is declared may have whole ones where such a parameter is looked up."""
    whole = (Whole, Nothing)
    asked = {p.relation.source for p in parameters if p.relation is not None and p.relation.kind in ("key", "index")
             and p.declared and all(isinstance(one, whole) for one in options_of(p.spec))}
    told = {one.arg for one in ast.walk(function.args) if isinstance(one, ast.arg) and one.annotation is not None
            and "[" in ast.unparse(one.annotation)}
    made = []
    for p in parameters:
        options = [replace(one, key=either([Whole(0, 9, soft=True), Text()]))
                   if isinstance(one, Dictionary) and one.key == Text() else one for one in options_of(p.spec)]
        rare = list(p.spec.rare) if isinstance(p.spec, Either) else []
        made.append(replace(p, spec=either(options, rare)) if p.name in asked - told else p)
    return tuple(made)
