"""`code2bench suite`: builds suites for functions in files and says what came out."""

from __future__ import annotations

import ast
import json
from dataclasses import asdict, replace
from pathlib import Path

import click

from harness.cli import workers_option
from harness.errors import UserError
from harness.telling import say
from pipeline.config import SuiteConfig
from pipeline.languages.python.reading import READER
from pipeline.records import Reason
from pipeline.shipped import RUNTIME, shipped
from pipeline.suites.drafts import SuiteRequest
from pipeline.suites.subject import imported_names
from pipeline.suites.trial import Job, Trial, attempt, groups, seed_of


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--function", "name", default="", help="One function; all that a file defines at module level by default."
)
@click.option(
    "--budget", type=click.IntRange(1), default=SuiteConfig().budget, show_default=True,
    help="Calls of the function that the search may make.",
)
@click.option("--lock", "--runtime", "lock", type=click.Path(path_type=Path), default=lambda: shipped(RUNTIME),
              help="The runtime, a hashed list of packages; the project's own by default.")
@workers_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line for each function, as soon as it is done.")
def suite(paths: tuple[Path, ...], name: str, budget: int, lock: Path, workers: int, as_json: bool) -> None:
    """Build a suite for each function of the files, in the sandbox, and say what came out.

    A PATH may be a folder, whose Python files are read.

    Example: code2bench suite dates.py --function days_between
    """
    from harness.runtime import ensure_runtime
    from pipeline.executors.local import LocalExecutor
    from pipeline.progress import Progress

    config = replace(SuiteConfig(), budget=budget)
    files = files_of(paths)
    jobs = [Job(r, config, lock, str(file)) for file in files for r in requests_of(file, name, len(files) > 1)]
    if not jobs:
        raise UserError(f"{paths[0]} has no function {name or 'at module level'}: name a file that defines one.")
    ensure_runtime(lock)
    with Progress("suite", len(jobs)) as progress:
        for trials in LocalExecutor(workers if len(jobs) > 1 else 1).map(attempt, groups(jobs, workers)):
            progress.advance(len(trials))
            for trial in trials:
                say(json.dumps(_row(trial)) if as_json else _text(trial))


def files_of(paths: tuple[Path, ...]) -> list[Path]:
    """The files, and the Python files of the folders, in the order of their paths."""
    return [f for path in paths for f in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


def requests_of(file: Path, name: str, lenient: bool = False) -> list[SuiteRequest]:
    """A request for each function of a file, each with the file's imports and assignments of constants.

    A file that can't be read, or that has no such function, is an error unless `lenient`.
    """
    try:
        text = file.read_text("utf-8")
        tree = ast.parse(text)
    except (OSError, UnicodeDecodeError, SyntaxError, ValueError) as error:
        if lenient:
            say(f"{file} can't be read as Python, so it is passed over: {_why(error)}", err=True)
            return []
        raise UserError(f"{file} can't be read as Python ({_why(error)}): name a file of Python source.") from None
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and name in ("", node.name)]
    if not functions and not lenient:
        raise UserError(
            f"{file} defines no function {name or 'at module level'}; --function names one of its functions."
        )
    modules = sorted({full.split(".")[0] for full in imported_names(tree).values()})
    made = []
    for function in functions:
        function.decorator_list = []
        program = ast.unparse(ast.Module([*needed(tree, function), function], []))
        calls = tuple(dict.fromkeys(site.arguments for site in READER.calls(text, [function.name])))
        made.append(SuiteRequest(function.name, program, function.name, seed_of(program), tuple(modules), calls))
    return made


def _why(error: Exception) -> str:
    """What is wrong with a file, which is named already."""
    if isinstance(error, SyntaxError):
        return f"{error.msg} in line {error.lineno}"
    return str(error.strerror) if isinstance(error, OSError) else str(error)


def needed(tree: ast.Module, function: ast.FunctionDef) -> list[ast.stmt]:
    """The imports of a file and what else at its module level a function needs, in the order of the text."""
    binding: dict[str, list[ast.stmt]] = {}
    for statement in tree.body:
        for name in _bound(statement):
            binding.setdefault(name, []).append(statement)
    wanted: list[ast.stmt] = [function]
    for statement in wanted:
        loaded = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        wanted += [one for name in sorted(loaded) for one in binding.get(name, ()) if one not in wanted]
    imports = (ast.Import, ast.ImportFrom)
    return [one for one in tree.body if isinstance(one, imports) or (one in wanted and one is not function)]


def _bound(statement: ast.stmt) -> list[str]:
    """The names that a statement at module level binds, as far as functions may need them."""
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
        return [n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return []


def _row(trial: Trial) -> dict[str, object]:
    return {"status": "rejected" if trial.reason else "suite", **asdict(trial)}


def _text(trial: Trial) -> str:
    lines = [f"{trial.function}: {'rejected' if trial.reason else 'suite'}"]
    if trial.reason:
        lines.append(f"  {Reason[trial.reason.upper()].value} {trial.evidence}")
        if trial.uncovered:
            lines.append(f"  uncovered: {', '.join(trial.uncovered)}")
    else:
        lines.append(
            f"  {trial.cases} distinct cases, {trial.usual} of them as callers pass them, {trial.raising} raise; "
            f"{trial.distinct_answers} different answers; all of {trial.branches} branches taken"
        )
    if trial.branch_coverage is not None:
        lines.append(f"  branch coverage {trial.branch_coverage:.1%}")
    if trial.mutation_score is not None:
        survivors = f"; survivors: {'; '.join(trial.survivors)}" if trial.survivors else ""
        lines.append(f"  mutation score {trial.mutation_score:.2f}{survivors}")
    if trial.entry_score is not None:
        lines.append(f"  mutation score {trial.entry_score:.2f} of the function without its members")
    if trial.higher_order_score is not None:
        lines.append(f"  mutation score {trial.higher_order_score:.2f} with several changes at once")
    if trial.easiest and trial.easiest["stub"]:
        lines.append(f"  the easiest stub passes {trial.easiest['share']:.1%}: {trial.easiest['stub']}")
    lines += [f"  no case has {outcome}" for outcome in trial.unmet]
    lines += [f"  out of reach: {goal}" for goal in trial.excused]
    lines.append(f"  {trial.search_cpu_seconds} CPU seconds for the search, {trial.cpu_seconds} for everything")
    lines.append("  CPU seconds by step: " + ", ".join(f"{name} {spent}" for name, spent in trial.steps.items()))
    for parameter in trial.parameters:
        why = "; ".join(parameter["evidence"]) or "nothing is known of it"
        lines.append(f"  {parameter['name']}: {parameter['type']}  ({why})")
    return "\n".join(lines)
