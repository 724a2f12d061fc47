"""Which keys dictionaries have, told by what is looked up in them."""

from __future__ import annotations

from dataclasses import replace

from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.spec import Dictionary, Frame, options_of
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
