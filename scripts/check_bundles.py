"""Check the bundles of a build a second way: every name is there by `symtable`, and every program loads in the sandbox.

Example: python scripts/check_bundles.py build/demo/stages/03-classify
"""

from __future__ import annotations

import argparse
import ast
import builtins
import json
import symtable
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from harness.errors import UserError
from harness.languages import Machine
from harness.languages.python.runtime import python_of
from harness.runtime import find_runtime
from harness.sandbox import Limits, Program, choose
from pipeline import store
from pipeline.records import Candidate

DATA = Path(__file__).parents[1] / "data"
KNOWN = {*dir(builtins), "__name__", "__file__", "__doc__"}
TOGETHER = 40


def main() -> None:
    """Print what is wrong, one line per bundle, and how many were looked at; fails where something is wrong."""
    options = _options()
    bundles = [one for one in _candidates(options.stage) if one.members]
    faults = [f"{one.function.qualified}: {fault}" for one in bundles for fault in open_names(one.program)]
    loaded = bundles[: options.load]
    machine = Machine(choose(), find_runtime(DATA / "runtimes/python-3.11.txt"))
    for start in range(0, len(loaded), TOGETHER):
        group = loaded[start : start + TOGETHER]
        faults += [f"{group[place].function.qualified}: {said}" for place, said in _loading(group, machine)]
    for fault in faults:
        print(fault)
    kinds = Counter(member.kind for one in bundles for member in one.members)
    print(f"{len(bundles)} bundles, {len(loaded)} of them loaded, {len(faults)} faults; members: {dict(kinds)}")
    sys.exit(bool(faults))


def open_names(program: str) -> Iterator[str]:
    """The names that some scope of a program takes from its module, which neither it nor the language defines."""
    top = symtable.symtable(program, "program", "exec")
    there = {one.get_name() for one in top.get_symbols() if one.is_assigned() or one.is_imported()} | KNOWN
    # With deferred annotations their names are in no scope, so they are read off the text.
    annotated = [node for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Name)]
    yield from sorted({name for table in _tables(top) for name in _taken(table)} - there)
    bound = {symbol.get_name() for table in _tables(top) for symbol in table.get_symbols() if not symbol.is_global()}
    yield from sorted({node.id for node in annotated} - there - bound)


def _tables(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    yield table
    for child in table.get_children():
        yield from _tables(child)


def _taken(table: symtable.SymbolTable) -> set[str]:
    outermost = table.get_type() == "module"
    return {one.get_name() for one in table.get_symbols() if one.is_referenced() and (outermost or one.is_global())}


LOAD = """
import json, sys, types
faults = []
for place, program in enumerate(json.loads(sys.stdin.buffer.read())):
    module = sys.modules["bundle"] = types.ModuleType("bundle")
    try:
        exec(compile(program, "bundle", "exec", dont_inherit=True), module.__dict__)
    except BaseException as error:
        faults.append([place, type(error).__name__ + ": " + str(error)])
sys.stdout.write(json.dumps(faults))
"""


def _loading(group: list[Candidate], machine: Machine) -> list[tuple[int, str]]:
    """Load each program in a module of its own, in one process; which ones do not."""
    runtime = python_of(machine.runtime)
    text = f"import sys; sys.path += {[str(runtime.site_packages)]!r}\n{LOAD}"
    program = Program(
        (str(runtime.python), "-s", "-S", "-P", "-B", "-c", text), runtime.readable,
        json.dumps([one.program for one in group]).encode(), dict(runtime.environment), "/tmp", runtime.hidden,
    )  # fmt: skip
    outcome = machine.sandbox.run(program, Limits(cpu_seconds=120, wall_seconds=600))
    try:
        return [(place, said) for place, said in json.loads(outcome.stdout)]
    except ValueError:
        raise UserError(f"The bundles could not be loaded: {outcome.stderr.decode()[-300:]}") from None


def _candidates(stage: Path) -> Iterator[Candidate]:
    for path in sorted(stage.glob("*.kept.parquet")):
        yield from store.read(path, Candidate)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", type=Path, help="the folder of the build's stage `classify`")
    parser.add_argument("--load", type=int, default=500, help="how many are loaded")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
