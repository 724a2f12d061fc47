"""A maintainer as a writer: the text of a curated file, with the calls that it wants shown."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.records import MAINTAINER
from pipeline.config import InstructConfig
from pipeline.instruct.drafts import Draft, framed
from pipeline.instruct.examples.choice import LONGEST, Example, choose, readable
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

FEWEST = 3
"""How many examples are shown at least; those that nobody asked for are chosen as for other texts."""


@dataclass(frozen=True)
class MaintainerWriter:
    """Takes what stands in the function's curated file."""

    config: InstructConfig
    name: str = MAINTAINER

    def write(self, suite: Suite, facts: Facts) -> Draft:
        """The text with its examples; raises `ValueError` where there is no file."""
        curated = suite.candidate.curated
        if curated is None:
            raise ValueError(f"No maintainer has written for {suite.id}.")
        shown = list(self._wanted(suite, facts, curated.examples))
        known = {example.index for example in shown}
        others = (example for example in choose(suite, facts, self.config) if example.index not in known)
        while len(shown) < FEWEST and (further := next(others, None)) is not None:
            shown.append(further)
        return replace(framed(suite, facts, shown, curated.text), prose=curated.text)

    def missing(self, suite: Suite, facts: Facts) -> str:
        """The first call that is to be shown and that became no case, or one too long to be shown; "" for none."""
        curated = suite.candidate.curated
        calls = curated.examples if curated else ()
        return next((call for call in calls if not list(self._wanted(suite, facts, [call]))), "")

    def _wanted(self, suite: Suite, facts: Facts, calls: Sequence[str]) -> Iterator[Example]:
        """The cases that are these calls, in their order; what became no case is left out."""
        every = readable(suite, facts, replace(self.config, max_example_chars=LONGEST))
        known = {_arguments(example.expressions[0], facts): example for example in every}
        for call in calls:
            found = known.get(_arguments(f"f({call})", facts))
            if found is not None:
                yield found


def _arguments(call: str, facts: Facts) -> str:
    """What a call passes, whether by position, by name or by default, as a text."""
    made = ast.parse(call, mode="eval").body
    assert isinstance(made, ast.Call)
    signature = facts.function.args
    named = [one.arg for one in (*signature.posonlyargs, *signature.args)]
    given = dict(zip(named[len(named) - len(signature.defaults) :], signature.defaults, strict=True))
    given |= {one.arg: value for one, value in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if value}
    given |= dict(zip(named, made.args, strict=False)) | {one.arg or "": one.value for one in made.keywords}
    rest = made.args[len(named) :]
    return "; ".join([*(f"{name}={ast.dump(given[name])}" for name in sorted(given)), *map(ast.dump, rest)])
