"""Languages: what the stages ask of one, in named parts, each with a protocol of its own; one folder per language.

| part | module | who asks |
|---|---|---|
| `reading`: definitions, fingerprints, shingles, literal calls | `reading` | `sources` |
| `layout`: suffixes, tests, generated files, own packages | `reading` | `sources`, `classify`, `release` |
| `naming`: rules of scopes, what a file defines and uses | `scoping` | `classify` |
| `members`: what a function may take along from its project | `members` | `classify` |
| `programs`: texts that run, stubs, import lines | `programs` | `classify`, `families`, `release` |
| `flow`: a function as a control-flow graph | `flow` | `screen`, `release` |
| `effects`: what goes beyond the parameters | `effects` | `screen` |
| `facts`: numbers, names and texts about a function | `facts` | `judge` |
| `mutants`: small changes of meaning | `mutating` | suites' engines |

`registry` has the languages by name. Suites are built by an engine per language, which lies with the suites
(`pipeline.suites.stage`), since no language knows of stages.
"""

from __future__ import annotations

from dataclasses import dataclass

from pipeline.languages.effects import Effects
from pipeline.languages.facts import FactReader
from pipeline.languages.flow import FlowReader
from pipeline.languages.members import Members
from pipeline.languages.mutating import Mutators
from pipeline.languages.programs import Programs
from pipeline.languages.reading import Layout, Reader
from pipeline.languages.scoping import Naming


@dataclass(frozen=True)
class Language:
    """A language as the stages see it; `name` stands in records, source lists and tracks.

    A language without `members` has functions that stand alone, and no bundles.
    """

    name: str
    reading: Reader
    layout: Layout
    naming: Naming
    programs: Programs
    flow: FlowReader
    effects: Effects
    facts: FactReader
    mutants: Mutators
    members: Members | None = None
