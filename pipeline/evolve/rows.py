"""What is published of evolved programs besides the tasks that ask about them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

RULES = "rules"
"""What rows say of names that no model has given."""


class Why(Enum):
    """Why there is no program, or no bug; the value is the sentence that people read."""

    NOT_EVOLVED = "No program that the search found keeps all rules and answers as its origin does."
    NO_BUG = "No change of that order is needed in all of its parts, and is the same fault in both programs."
    INTROSPECTIVE = "The program looks at its own names or text."


@dataclass(frozen=True)
class Applied:
    """An operator that was applied: its code and name, the origin of the place, its line in the original, the seed.

    `woven` says whether what it added takes part in the answer.
    """

    code: str
    name: str
    origin: int
    line: int
    way: str
    seed: int
    woven: bool


@dataclass(frozen=True)
class EvolvedProgram:
    """A program of a task in one version, `original`, `v1`, ..., or `front-1`, ... for others that the search found.

    `program` is the text that runs, `modules` the names of its modules besides the main one. `complexity` are C1 to C7,
    `readability` R1 to R13, `rc`, `rc_uncapped` and `rr` what the profile makes of them. `dead_share` is the share of
    added statements of which each alone can be deleted without a change in the lite cases' answers; it and `pylint`
    are None where that was not looked at. `constant_guards` of `guards` compare nothing but constants. `applications`
    is how many times the search applied operators, in how many `evaluations`, and `refused` how many programs the
    cases refused. `named_by` is who named what was added, `rules` or `llm:` and a model. Where there is none, `reason`
    is why, with the `evidence`.
    """

    task_id: str
    parent_digest: str
    track: str
    version: str
    entry_point: str
    program: str = ""
    modules: tuple[str, ...] = ()
    operators: tuple[Applied, ...] = ()
    complexity: tuple[int, ...] = ()
    readability: tuple[float, ...] = ()
    rc: float = 0.0
    rc_uncapped: float = 0.0
    rr: float = 0.0
    hypervolume: float = 0.0
    pylint: float | None = None
    cognitive: int = 0
    tokens: int = 0
    lines: int = 0
    dead_share: float | None = None
    guards: int = 0
    constant_guards: int = 0
    evaluations: int = 0
    applications: int = 0
    refused: int = 0
    cases: int = 0
    inputs: int = 0
    named_by: str = RULES
    reason: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Bug:
    """A fault of a task's programs: the same change of the original and of the evolved version.

    `kinds` and `origins` are of each of its `order` parts, `lines` where they are in this version. `killed` cases of
    the suite tell it. Where there is none, `reason` is why.
    """

    task_id: str
    version: str
    order: int
    kinds: tuple[str, ...] = ()
    origins: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()
    killed: int = 0
    cases: int = 0
    program: str = ""
    failing: tuple[int, ...] = ()
    passing: tuple[int, ...] = ()
    reason: str = ""
    evidence: str = ""
