"""The property test that is published: a module with strategies of a function's specification, runnable as it is."""

from __future__ import annotations

import builtins
import symtable
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from harness.values.expressions import Names
from pipeline.suites.domain.parameter import NOBODY_ASKED, Asked, Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.spec import buildable
from pipeline.suites.property_relations import HELPERS
from pipeline.suites.property_strategies import strategies

TEST = "test_candidate_agrees_with_the_reference"
_MODULE = '''"""Inputs for `{entry_point}` as Hypothesis strategies, and a test of candidate.py against reference.py."""

{imports}

from candidate import {entry_point} as candidate
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from reference import {entry_point} as reference

RAISED_ON_PURPOSE = {raised}
{helpers}
{body}'''
_BODY = '''{strategies}{shaped}

def call({names}):
    """The arguments of a call, by position and by name."""
    return {call}


calls = {calls}


def outcome(function, args, kwargs):
    """What a call gives, and its arguments afterwards."""
    args, kwargs = copy.deepcopy((args, kwargs))
    try:
        value = function(*args, **kwargs)
        return "returned", list(value) if isinstance(value, Iterator) else value, args, kwargs
    except Exception as error:
        return "raised", type(error).__name__, args, kwargs


def same(one, other):
    """Whether two outcomes agree; NaN agrees with NaN."""
    return repr(one) == repr(other) or bool(one == other)
{contract}

@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(calls)
def {test}(arguments):
    args, kwargs = arguments
{kept}    expected = outcome(reference, args, kwargs)
    # Other exceptions come from inputs that make no sense.
    assume(expected[0] == "returned" or expected[1] in RAISED_ON_PURPOSE)
    assert same(outcome(candidate, args, kwargs), expected)
'''
_KEPT = '''    given = inspect.signature(reference).bind(*args, **kwargs)
    given.apply_defaults()
    assume(within_contract(**given.arguments))
'''
_SHAPED = '''
# Calls that take branches which the strategies above seldom take.
SHAPED = [
{calls}
]
'''
_BOUND = {"candidate", "reference", "HealthCheck", "assume", "given", "settings", "st", "RAISED_ON_PURPOSE"}
_IMPORTS = {
    "Iterator": "from collections.abc import Iterator", "hnp": "from hypothesis.extra import numpy as hnp",
    "sparse": "from scipy import sparse", "scipy": "import scipy.sparse",
    **{name: f"import {name}" for name in ("numpy", "pandas", *sys.stdlib_module_names)},
}


class Unbound(Exception):
    """A printed module would use names that nothing binds."""


@dataclass(frozen=True)
class PropertyTest:
    """A printed test; `text` says which exceptions the reference raises on purpose."""

    entry_point: str
    body: str
    helpers: str
    imports: tuple[str, ...]

    def text(self, raised: Iterable[str]) -> str:
        """The module, which compares `candidate.py` with `reference.py`, both beside it."""
        return _MODULE.format(
            entry_point=self.entry_point, imports="\n".join(self.imports), raised=repr(tuple(sorted(set(raised)))),
            helpers=self.helpers, body=self.body,
        )


def printed(
    entry_point: str, parameters: tuple[Parameter, ...], pool: Pool, seed: int, asked: Asked = NOBODY_ASKED,
    shaped: Sequence[str] = (), alone: bool = False, contract: str = "",
) -> PropertyTest:
    """The test on values of the specification; raises `Unbound`.

    Strategies that a language model was asked for are part of it, each in a function of its own, and so are `shaped`
    calls, pairs of arguments as Python; `alone` leaves out the strategies. Inputs outside of the `contract`, a function
    of the parameters as Python, are left out.
    """
    usable = _usable(parameters, asked)
    lines = [] if alone else list(strategies(usable, pool, seed))
    names = [parameter.name for parameter in usable]
    ways = [] if alone else [f"st.builds({', '.join(['call', *(f'{name}_values' for name in names)])})"]
    ways += [f"{Asked.name(n)}().map(lambda taken: call(**taken))" for n in range(1, 1 + len(asked.functions))]
    ways += ["st.sampled_from(SHAPED)"] if shaped else []
    body = _BODY.format(
        strategies="".join(f"{line}\n" for line in lines), names=", ".join(names), call=_call(usable), test=TEST,
        calls=ways[0] if len(ways) == 1 else f"st.one_of({', '.join(ways)})",
        shaped=_SHAPED.format(calls="\n".join(f"    {call}," for call in shaped)) if shaped else "",
        contract=f"\n\n{contract}" if contract else "", kept=_KEPT if contract else "",
    )
    return _closed(entry_point, body, [f"\n{function}\n" for function in asked.functions])


def _usable(parameters: tuple[Parameter, ...], asked: Asked) -> list[Parameter]:
    """The parameters that get values: none by position after one that gets none."""
    usable, cut = [], False
    for parameter in parameters:
        known = buildable(parameter.spec) and (not asked.functions or parameter.name in asked.names)
        by_place = parameter.kind in ("positional", "variadic")
        cut = cut or (by_place and not known)
        usable += [parameter] if known and not (by_place and cut) else []
    return usable


def _call(parameters: list[Parameter]) -> str:
    args = [
        p.name if p.kind == "positional" else f"*{p.name}" for p in parameters if p.kind in ("positional", "variadic")
    ]
    kwargs = [
        f"**{p.name}" if p.kind == "keywords" else f"{p.name!r}: {p.name}"
        for p in parameters
        if p.kind in ("keyword", "keywords")
    ]
    return f"[{', '.join(args)}], {{{', '.join(kwargs)}}}"


def _closed(entry_point: str, body: str, further: list[str]) -> PropertyTest:
    """The test with the helpers and imports for all names that it uses; raises `Unbound` where there are none."""
    helpers: dict[str, str] = {}
    free = _free("".join(further) + body)
    while wanted := free & HELPERS.keys() - helpers.keys():
        helpers |= {name: HELPERS[name] for name in wanted}
        free |= _free("".join(HELPERS[name] for name in wanted))
    free -= helpers.keys() | _BOUND
    lines = {name: _IMPORTS.get(name) or next(iter(Names().missing([name])), "") for name in free}
    if unbound := sorted(name for name, line in lines.items() if not line):
        raise Unbound(f"nothing binds {', '.join(unbound)} in the property test of {entry_point}")
    ordered = [f"\n{helpers[name]}" for name in HELPERS if name in helpers]
    imports = sorted(set(lines.values()), key=lambda line: (line.startswith("from"), line))
    return PropertyTest(entry_point, body, "".join([*ordered, *further]), tuple(imports))


def _free(text: str) -> set[str]:
    """The names that a module uses and that neither it nor Python binds."""
    tables, used = [symtable.symtable(text, "strategies", "exec")], set[str]()
    bound = {one.get_name() for one in tables[0].get_symbols() if one.is_assigned() or one.is_imported()}
    for table in tables:
        used |= {one.get_name() for one in table.get_symbols() if one.is_referenced() and one.is_global()}
        tables += table.get_children()
    used |= {one.get_name() for one in tables[0].get_symbols() if one.is_referenced()}
    return used - bound - set(dir(builtins))
