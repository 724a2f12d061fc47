"""S4: a value is computed by a thread, whose result or exception comes back through a queue or a future."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import reads, walk
from pipeline.transforms.preserving.evolving.building import built, defined, imported
from pipeline.transforms.preserving.evolving.growing import (
    Growing,
    Look,
    Site,
    Spot,
    holds,
    is_generator,
    origin_of,
    spot_of,
    spots,
)

_OF_THREADS = frozenset({
    "localcontext", "getcontext", "setcontext", "errstate", "seterr", "local", "ContextVar", "catch_warnings",
    "set_printoptions", "current_thread", "get_ident", "getrecursionlimit", "setrecursionlimit", "signal",
})  # fmt: skip
"""What is another one in another thread, or may only be done in the main one."""
MOST_CALLS = 5
"""How often one case may call a helper whose work a thread does, as each call starts one; of others it is not known."""
_MARK = "in_worker"
_HELPER = """
def {run}({task}):
    {results} = {queue}.Queue()

    def {work}():
        try:
            {results}.put(({task}(), None))
        except BaseException as {error}:
            {results}.put((None, {error}))

    {thread} = {threading}.Thread(target={work})
    {thread}.start()
    {thread}.join()
    {result}, {failure} = {results}.get()
    if {failure} is not None:
        raise {failure}
    return {result}
"""
_POOL = """
def {run}({task}):
    with {pool}(max_workers=1) as {thread}:
        return {thread}.submit({task}).result()
"""


class AddThread:
    """The value of an assignment, a return or a statement is computed in a thread, while the caller waits.

    What the thread runs reads no variable that may have no value, and nothing that belongs to the main thread. It
    stands in no loop and in no function that is called all the time, and calls something or goes through something:
    nobody would start a thread for less.
    """

    code, name = "S4", "AddThread"

    def sites(self, program: Growing) -> list[Site]:
        """The statements with such a value."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Let a thread compute the value."""
        spot = spot_of(self._found(program, site.origin), site)
        run = _helper(program, spot)
        lazy = ast.Lambda(ast.arguments([], [], None, [], [], None, []), spot.node.value)
        spot.node.value = ast.Call(ast.Name(run, ast.Load()), [lazy], [])

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        for tree in program.trees:
            if any(getattr(node, "attr", getattr(node, "id", "")) in _OF_THREADS for node in walk(tree)):
                return
        look = Look()
        for spot in spots(program, origin):
            if isinstance(spot.node, (ast.Assign, ast.Return, ast.Expr)) and _fits(program, spot, look):
                number = origin_of(spot.node)
                assert number is not None
                yield Site(number), spot


def _fits(program: Growing, spot: Spot, look: Look) -> bool:
    value, function = spot.node.value, spot.function
    if value is None or origin_of(value) is None or spot.in_loop or not spot.is_own or is_generator(function):
        return False
    if not _is_work(value) or program.facts.depth.get(function.name, 1) > 1 or _calls_itself(function):
        return False
    if function.name != program.entry_point and program.facts.calls.get(function.name, MOST_CALLS + 1) > MOST_CALLS:
        return False
    if holds(value, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Lambda):
        return False
    own = reads(value) & look.locals(spot)
    return own <= look.sure(spot) and not own & look.captured(spot)


def _is_work(node: ast.expr) -> bool:
    return holds(node, ast.Call, ast.ListComp, ast.SetComp, ast.DictComp)


def _calls_itself(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, ast.Name) and node.id == function.name for node in walk(function))


def _helper(program: Growing, spot: Spot) -> str:
    """The name of the function that runs another one in a thread; there is one for each module."""
    for node in spot.tree.body:
        if isinstance(node, ast.FunctionDef) and getattr(node, "made", "") == _MARK:
            return node.name
    pooled = program.random.random() < 0.5
    names = {
        "run": program.fresh_of("run_in_worker", "run_in_thread", "run_in_background", "call_in_thread"),
        "task": program.fresh_of("task", "job", "action", "operation"),
        "results": program.fresh_of("results", "outcomes", "result_queue"),
        "work": program.fresh_of("work", "worker", "perform", "execute"), "error": program.fresh_of("error", "exc"),
        "thread": program.fresh_of("thread", "background"), "result": program.fresh_of("result", "outcome", "value"),
        "failure": program.fresh_of("failure", "problem"),
    }
    if pooled:
        names["pool"] = imported(program, spot.tree, "concurrent.futures", "ThreadPoolExecutor")
    else:
        names |= {one: imported(program, spot.tree, one) for one in ("threading", "queue")}
    [helper] = built((_POOL if pooled else _HELPER).format(**names))
    helper.made = _MARK
    for part in ast.walk(helper):
        part.needed = True  # type: ignore[attr-defined]
    first = next(node for node in spot.tree.body if isinstance(node, ast.FunctionDef))
    defined(spot.tree, [helper], first)
    return names["run"]
