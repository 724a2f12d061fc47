"""Runs a printed property test on the reference and says what its inputs take: in the engine, and again in `verify`.

Only for use inside the sandbox. Nothing is left to chance, files or clocks: the same module draws the same inputs.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from pipeline.suites.instrument.reference import Observation, Reference, Slow
from pipeline.suites.property_test import TEST

MOST = 2_000
"""Examples within which a module should take every branch."""
BEFORE = 60
"""Examples after which calls that take what is missing become part of the module."""
COSTLY = 12
"""How many calls without end a run bears."""
SEED = 0
_SENSIBLE = ("returned", "raised")
Arguments = tuple[list[Any], dict[str, Any]]


class _Enough(BaseException):
    """Nothing more is wanted of a run."""


class _Nonsense(Exception):
    """The call is no case, so the module leaves its input out."""


@dataclass
class Run:
    """What a run has drawn: the goals that no case takes, calls that are cases, the `fault` of a module with one."""

    reference: Reference
    most: int
    missing: set[int] = field(init=False)
    calls: list[Arguments] = field(default_factory=list)
    examples: int = 0
    costly: int = 0
    fault: str = ""

    def __post_init__(self) -> None:
        self.missing = set(range(len(self.reference.measure.goals)))
        self._depth = sys.getrecursionlimit()

    def answered(self, *args: Any, **kwargs: Any) -> None:
        """Stands for the reference in the module."""
        call = (list(args), kwargs)
        try:
            seen = self._seen(call)
        except Slow:
            raise _Enough from None
        self.examples += 1
        self.costly += seen.kind == "endless"
        if seen.kind == "deadly":
            self.fault = "an input ends the process"
        if seen.kind in _SENSIBLE:
            self.missing -= seen.goals
            self.calls += [call] if len(self.calls) < BEFORE else []
        if not self.missing or self.fault or self.examples >= self.most or self.costly >= COSTLY:
            raise _Enough
        if seen.kind not in _SENSIBLE:
            raise _Nonsense

    def _seen(self, call: Arguments) -> Observation:
        """What the call does where frames are as many as ever: Hypothesis allows for more of them."""
        allowed = sys.getrecursionlimit()
        sys.setrecursionlimit(self._depth)
        try:
            seen = self.reference.call(*deepcopy(call))
            return self.reference.patiently(*deepcopy(call)) if seen.kind == "slow" else seen
        finally:
            sys.setrecursionlimit(allowed)


def run(text: str, entry_point: str, reference: Reference, most: int = MOST) -> Run:
    """Run a module's test until every goal is taken, or for so many examples."""
    from hypothesis import seed
    from hypothesis.errors import Unsatisfiable

    made = Run(reference, most)
    try:
        with _alone(), reference.afresh():
            seeded: Callable[..., Any] = seed(SEED)(_test(text, entry_point, made.answered, reference.function))
            seeded()
    except (_Enough, Unsatisfiable):
        pass
    except Exception as error:
        # Strategies are made of guesses and of constants of a stranger's.
        made.fault = f"{type(error).__name__}: {error}"[:300]
    return made


def _test(text: str, entry_point: str, answered: Callable[..., None], function: Any) -> Callable[..., Any]:
    space: dict[str, Any] = {"__name__": "property_test"}
    stubs = {"reference": _signed(answered, function), "candidate": _silent}
    with _imported({name: SimpleNamespace(**{entry_point: stub}) for name, stub in stubs.items()}):
        exec(compile(text, "property_test.py", "exec", dont_inherit=True), space)
    test: Callable[..., Any] = space[TEST]
    return test


def _signed(answered: Callable[..., None], function: Any) -> Callable[..., None]:
    """What stands for the reference, with its signature."""
    def stub(*args: Any, **kwargs: Any) -> None:
        answered(*args, **kwargs)

    stub.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return stub


def _silent(*_: Any, **__: Any) -> None:
    """Stands for the candidate: it does as the reference does."""


@contextmanager
def _imported(modules: dict[str, Any]) -> Iterator[None]:
    """Modules under these names meanwhile."""
    before = {name: sys.modules.pop(name) for name in modules if name in sys.modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]
        sys.modules.update(before)


@contextmanager
def _alone() -> Iterator[None]:
    """Hypothesis as it is without files and clocks, and without constants of whatever modules happen to be loaded."""
    from hypothesis import HealthCheck, Phase, settings
    from hypothesis.internal.conjecture import providers
    from hypothesis.internal.constants_ast import Constants

    before, constants = settings.get_current_profile_name(), providers._get_local_constants
    settings.register_profile(
        "run", database=None, deadline=None, derandomize=False, max_examples=MOST, phases=[Phase.generate],
        print_blob=False, report_multiple_bugs=False, suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("run")
    none = Constants()
    setattr(providers, "_get_local_constants", lambda: none)  # noqa: B010
    try:
        yield
    finally:
        setattr(providers, "_get_local_constants", constants)  # noqa: B010
        settings.load_profile(before)


def prepare() -> None:
    """Load Hypothesis once: what a run needs is in memory then."""
    from hypothesis import given, seed
    from hypothesis import strategies as st

    def nothing(_: Any) -> None:
        raise _Enough

    with suppress(_Enough), _alone():
        first: Any = given(st.one_of(st.text(), st.from_regex("[a-z]"), st.floats(), st.lists(st.integers())))(nothing)
        seed(SEED)(first)()
