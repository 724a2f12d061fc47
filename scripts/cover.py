"""Say what of a function some inputs leave uncovered: the tool of whoever labels what the search has missed.

    python scripts/cover.py FUNCTION.py INPUTS.py

FUNCTION.py holds the program, whose last function counts; INPUTS.py assigns `INPUTS`, a list of pairs of positional and
keyword arguments. Each input and each answer goes through the codec first, and what it refuses does not count; neither
does an exception that does not come from one of the function's own `raise` statements. Both files run unprotected:
label nothing that you would not run.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import runpy
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import coverage

from harness.values import NotEncodable, decode, encode

SECONDS = 5


def main() -> None:
    """Run the inputs, tell what each does, and print the lines and branches that are left."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("function", type=Path)
    parser.add_argument("inputs", type=Path)
    options = parser.parse_args()
    tree = ast.parse(options.function.read_text("utf-8"))
    function = [node for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    signal.signal(signal.SIGALRM, _too_long)
    call = _loaded(options.function, function.name)
    good = [one for number, pair in enumerate(runpy.run_path(str(options.inputs))["INPUTS"])
            if (one := _tried(call, function, number, pair)) is not None]
    path = str(options.function.resolve())
    measure = coverage.Coverage(branch=True, data_file=None, include=[path], config_file=False)
    measure.start()
    call = _loaded(options.function, function.name)
    for args, kwargs in good:
        try:
            call(*map(decode, args), **{name: decode(value) for name, value in kwargs.items()})
        except BaseException:
            # It was raised on purpose, as was told above.
            continue
    measure.stop()
    _report(measure, options.function, function)


def _too_long(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def _loaded(path: Path, name: str) -> Any:
    spec = importlib.util.spec_from_file_location("reference", path)
    assert spec is not None and spec.loader is not None, "a file of Python has a loader"
    module = importlib.util.module_from_spec(spec)
    sys.modules["reference"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)


def _tried(call: Any, function: ast.FunctionDef, number: int, pair: Any) -> tuple[list[Any], dict[str, Any]] | None:
    """The encoded input where it counts; says what became of it."""
    try:
        args, kwargs = [encode(value) for value in pair[0]], {name: encode(value) for name, value in pair[1].items()}
    except NotEncodable as refusal:
        print(f"input {number}: the codec refuses it: {refusal}")
        return None
    signal.alarm(SECONDS)
    try:
        answer = call(*map(decode, args), **{name: decode(value) for name, value in kwargs.items()})
        encode(answer)
    except NotEncodable as refusal:
        print(f"input {number}: the codec refuses the answer: {refusal}")
        return None
    except BaseException as error:
        own = _raised_here(error, function)
        print(f"input {number}: {'raised on purpose' if own else 'a crash, which does not count'}: {error!r:.150}")
        return (args, kwargs) if own else None
    finally:
        signal.alarm(0)
    print(f"input {number}: {answer!r:.100}")
    return args, kwargs


def _raised_here(error: BaseException, function: ast.FunctionDef) -> bool:
    """Whether the innermost frame stands at a `raise` of the function."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    raises = [node for node in ast.walk(function) if isinstance(node, ast.Raise)]
    line = trace.tb_lineno if trace is not None and trace.tb_frame.f_globals.get("__name__") == "reference" else 0
    return any(node.lineno <= line <= (node.end_lineno or node.lineno) for node in raises)


def _report(measure: coverage.Coverage, path: Path, function: ast.FunctionDef) -> None:
    found = measure._analyze(str(path.resolve()))
    inside = range(function.lineno, (function.end_lineno or function.lineno) + 1)
    lines = sorted(line for line in found.missing if line in inside)
    arcs = sorted((a, b) for a, ends in found.missing_branch_arcs().items() for b in ends if a in inside)
    print(f"missing lines {lines}, missing branches {arcs}" if lines or arcs else "all branches are covered")


if __name__ == "__main__":
    main()
