"""`code2bench suite`: builds suites for functions in a file and says what came out."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from harness.errors import UserError
from harness.languages import Machine
from harness.records import digest
from pipeline.config import SuiteConfig
from pipeline.records import Reason
from pipeline.suites.answers import Refused, finish
from pipeline.suites.building import Request, build_suites
from pipeline.suites.names import imported_names

_LOCK = Path("data") / "runtimes" / "python-3.11.txt"


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--function", "name", default="", help="One function; all that the file defines at module level by default."
)
@click.option("--budget", default=0, help="Calls of the function that the search may make.")
@click.option("--runtime", "lock", type=click.Path(path_type=Path), default=_LOCK, help="The lock of the runtime.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each function.")
def suite(file: Path, name: str, budget: int, lock: Path, as_json: bool) -> None:
    """Build a suite for each function of a file, in the sandbox, and say what came out.

    Example: code2bench suite dates.py --function days_between
    """
    from harness.runtime import find_runtime
    from harness.sandbox import choose

    config = SuiteConfig()
    if budget:
        config = replace(config, budget=budget)
    machine = Machine(choose(), find_runtime(lock))
    for request in requests_of(file, name):
        made = build_suites([request], config, machine)[0]
        recorded = finish(request.program, request.entry_point, made, config, machine)
        if isinstance(recorded, Refused):
            made = {**made, "reason": recorded.reason.name.lower(), "evidence": recorded.evidence}
        click.echo(json.dumps(_row(request, made)) if as_json else _text(request, made))


def requests_of(file: Path, name: str) -> list[Request]:
    """A request for each function of a file, each with the file's imports and assignments of constants."""
    try:
        tree = ast.parse(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, SyntaxError) as error:
        raise UserError(f"{file} can't be read as Python: {error}.") from None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and name in ("", node.name)]
    if not functions:
        raise UserError(
            f"{file} defines no function {name or 'at module level'}; --function names one of its functions."
        )
    kept = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign))]
    modules = sorted({full.split(".")[0] for full in imported_names(tree).values()})
    made = []
    for function in functions:
        function.decorator_list = []
        program = ast.unparse(ast.Module([*kept, function], []))
        made.append(Request(function.name, program, function.name, _seed(program), tuple(modules)))
    return made


def _seed(program: str) -> int:
    return int(digest(program)[:15], 16)


def _row(request: Request, made: dict[str, Any]) -> dict[str, Any]:
    """What programs want to know of a suite."""
    cases = [] if made["reason"] else made["cases"]
    return {
        "function": request.entry_point,
        "status": "rejected" if made["reason"] else "suite",
        "reason": made["reason"],
        "evidence": made["evidence"],
        "branches": made.get("branches"),
        "branch_coverage": 1.0 if made.get("cases") else made.get("coverage"),
        "uncovered": made.get("uncovered", []),
        "cases": len(cases),
        "raising": made.get("raising", 0),
        "distinct_answers": made.get("distinct", 0),
        "mutants": made.get("mutants"),
        "easiest": made.get("easiest"),
        "unmet": made.get("unmet", []),
        "mutation_score": None,
        "parameters": made["parameters"],
        "cpu_seconds": made.get("cpu_seconds"),
    }


def _strength(row: dict[str, Any]) -> list[str]:
    """What the search knows of a suite's strength: mutants alive, the stub that passes most, outcomes never had."""
    mutants, easiest = row["mutants"], row["easiest"]
    lines = [f"  {len(mutants['alive'])} of {mutants['tried']} mutants survive{_listed(mutants['alive'])}"]
    if easiest["stub"]:
        lines.append(f"  the easiest stub passes {easiest['share']:.1%}: {easiest['stub']}")
    return lines + [f"  no case has {outcome}" for outcome in row["unmet"]]


def _listed(names: list[str]) -> str:
    return f": {'; '.join(names[:5])}{'; ...' if len(names) > 5 else ''}" if names else ""


def _text(request: Request, made: dict[str, Any]) -> str:
    row = _row(request, made)
    lines = [f"{row['function']}: {row['status']}"]
    if row["reason"]:
        lines.append(f"  {Reason[row['reason'].upper()].value} {row['evidence']}")
        if row["uncovered"]:
            lines.append(f"  uncovered: {', '.join(row['uncovered'])}")
    else:
        lines.append(
            f"  {row['cases']} distinct cases, {row['raising']} of them raise; "
            f"{row['distinct_answers']} different answers; all of {row['branches']} branches taken"
        )
        lines += _strength(row)
    if row["branch_coverage"] is not None:
        lines.append(f"  branch coverage {row['branch_coverage']:.1%}")
    lines.append(f"  {row['cpu_seconds']} CPU seconds")
    for parameter in row["parameters"]:
        why = "; ".join(parameter["evidence"]) or "nothing is known of it"
        lines.append(f"  {parameter['name']}: {parameter['type']}  ({why})")
    return "\n".join(lines)
