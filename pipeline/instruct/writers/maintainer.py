"""A maintainer as a writer: the text of a curated file, with the calls that it wants shown."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

from harness.records import MAINTAINER
from pipeline.config import InstructConfig
from pipeline.instruct.drafts import Draft, framed
from pipeline.instruct.examples.choice import LONGEST, choose, readable
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

FEWEST = 3
"""How many examples are shown at least; those that nobody asked for are chosen as for other texts."""


@dataclass(frozen=True)
class MaintainerWriter:
    """Takes what stands in the function's curated file."""

    config: InstructConfig
    name: str = MAINTAINER

    def write(self, suite: Suite, facts: Facts) -> Draft | str:
        """The text with its examples; the first call that is to be shown and can't be, where there is one.

        Such a call became no case, or one too long to be shown. Raises `ValueError` where there is no file.
        """
        curated = suite.candidate.curated
        if curated is None:
            raise ValueError(f"No maintainer has written for {suite.id}.")
        every = readable(suite, facts, replace(self.config, max_example_chars=LONGEST))
        as_written = {_arguments(example.expressions[0], facts, defaults=False): example for example in every}
        known = {_arguments(example.expressions[0], facts): example for example in every}
        found = {
            call: as_written.get(_arguments(f"f({call})", facts, defaults=False))
            or known.get(_arguments(f"f({call})", facts)) for call in curated.examples}
        lost = next((call for call, example in found.items() if example is None), "")
        if lost:
            return lost
        shown = [example for example in found.values() if example is not None]
        places = {example.index for example in shown}
        if len(shown) < FEWEST:
            others = [one for one in choose(suite, facts, self.config) if one.index not in places]
            shown += others[: FEWEST - len(shown)]
        return replace(framed(suite, facts, shown, curated.text), prose=curated.text)


def _arguments(call: str, facts: Facts, *, defaults: bool = True) -> str:
    """What a call passes, whether by position, by name or, if asked for, by default, as a text."""
    made = ast.parse(call, mode="eval").body
    assert isinstance(made, ast.Call)
    signature = facts.function.args
    named = [one.arg for one in (*signature.posonlyargs, *signature.args)]
    given = dict(zip(named[len(named) - len(signature.defaults) :], signature.defaults, strict=True))
    given |= {one.arg: value for one, value in zip(signature.kwonlyargs, signature.kw_defaults, strict=True) if value}
    given = given if defaults else {}
    given |= dict(zip(named, made.args, strict=False)) | {one.arg or "": one.value for one in made.keywords}
    rest = made.args[len(named) :]
    return "; ".join([*(f"{name}={ast.dump(given[name])}" for name in sorted(given)), *map(ast.dump, rest)])
