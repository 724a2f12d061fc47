"""The verdict on random histories, compared with a plain walk over all of their commits."""

from __future__ import annotations

import ast
import random
import subprocess
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

import pytest

from pipeline.config import MineConfig
from pipeline.records import Function, LockedSource, Source
from pipeline.sources.lock import LockStage
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.pipeline.sources.conftest import AFTER, MIT, UNTIL, Repository

START = datetime(2026, 1, 1, tzinfo=UTC)
WORDS = ("rows", "text", "items", "width", "total", "best", "cell", "key")
PATHS = ("a.py", "b.py", "core/c.py", "core/d.py", "util/e.py")
STATEMENTS = (
    "{a} = {b} + {n}",
    "if {a} > {n}:\n    return {b}\nelif {b}:\n    {a} += 1",
    "for {a} in {b}:\n    total += {a} * {n}",
    "{a} = [{b} for {b} in {a} if {b} != 'it is {n}']",
    "while {a}:\n    {a} = {name}({a} - {n})",
    "{a} = lambda {b}: {b} // {n}",
    "def inner({b}):\n    return {b} % {n}\n{a} = inner({a})",
    "with open({a}) as {b}:\n    {a} = {b}.read({n})",
    "try:\n    {a} = {b}[{n}]\nexcept KeyError:\n    pass",
)


@dataclass(frozen=True)
class Made:
    """A function of a random history: what it does, and the dress that does not count."""

    name: str
    parameters: tuple[str, ...]
    body: tuple[str, ...]
    note: str = ""
    typed: bool = False
    spaced: bool = False
    owner: str = ""

    def text(self) -> str:
        parameters = ", ".join(f"{one}: int = 0" if self.typed else f"{one}=0" for one in self.parameters)
        head = f"def {self.name}({parameters}){' -> object' if self.typed else ''}:"
        lines = [f'"""{self.note} of {self.name}."""'] if self.note else []
        for statement in self.body:
            lines += [f"# {self.note}", ""] if self.spaced else []
            lines += statement.replace("{name}", self.name).split("\n")
        lines.append("return (\n    total\n)" if self.spaced else "return total")
        function = "\n".join([head, *(f"    {line}" if line else "" for one in lines for line in one.split("\n"))])
        if self.owner:
            inner = "\n".join(f"    {line}" if line else "" for line in function.split("\n"))
            return f"class {self.owner}:\n{inner}\n"
        return function + "\n"


Files = dict[str, tuple[Made, ...]]


@dataclass
class Branch:
    """Where a branch is: its commit's number, its files, and those of the commits before."""

    mark: int
    files: Files
    before: list[Files] = field(default_factory=list)


class History:
    """A random history, written for `git fast-import`."""

    def __init__(self, seed: int, commits: int) -> None:
        self.random = random.Random(seed)
        self.out: list[str] = []
        self.ever: list[Made] = [self.function()]
        self.names = 0
        self.mark = 0
        self.branches: dict[str, Branch] = {}
        self.now = START
        self.step = (datetime.fromisoformat(UNTIL).replace(tzinfo=UTC) - START) * 1.05 / commits
        self.commit("main", {"a.py": (self.ever[0],)})
        for _ in range(commits):
            self.now += self.step
            self.random.choice((*[self.change] * 5, self.fork, self.join, self.abandon))()

    def function(self) -> Made:
        parameters = tuple(self.random.sample(WORDS, self.random.randint(1, 3)))
        body = tuple(self.statement() for _ in range(self.random.randint(0, 4)))
        return Made(f"{self.random.choice(WORDS)}_{self.random.randint(0, 40)}", parameters, body)

    def statement(self) -> str:
        a, b = self.random.sample(WORDS, 2)
        made = self.random.choice(STATEMENTS).replace("{a}", a).replace("{b}", b)
        return made.replace("{n}", str(self.random.randint(0, 30)))

    def change(self) -> None:
        name = self.random.choice(["main", *self.branches])
        branch = self.branches[name]
        if branch.before and self.random.random() < 0.08:
            files = self.random.choice(branch.before[-4:])
        else:
            files = branch.files
            for _ in range(self.random.randint(1, 3)):
                files = self.edited(files)
        self.commit(name, files)

    def edited(self, files: Files) -> Files:
        pick = self.random
        path, other = pick.choice(sorted(files) or list(PATHS)), pick.choice(PATHS)
        here = list(files.get(path, ()))
        one = pick.choice(here) if here else self.function()
        rest = [each for each in here if each is not one]
        move = pick.choice(("add", "add", "add", "change", "change", "rename", "dress", "method", "move", "copy", "remove",
                            "restore", "restore", "file"))  # fmt: skip
        if move == "file":
            moved = {key: value for key, value in files.items() if key != path}
            return {**moved, other: (*moved.get(other, ()), *here)}
        if move in ("move", "copy"):
            files = {**files, path: tuple(rest)} if move == "move" else files
            return {**files, other: (*files.get(other, ()), one)}
        changed = {
            "add": lambda: [*here, self.function()],
            "change": lambda: [*rest, replace(one, body=(*one.body[:-1], self.statement()))],
            "rename": lambda: [*rest, replace(one, name=self.function().name)],
            "dress": lambda: [*rest, replace(one, note=pick.choice(WORDS), typed=pick.random() < 0.5,
                                             spaced=pick.random() < 0.5)],
            "method": lambda: [*rest, replace(one, owner="" if one.owner else "Holder")],
            "remove": lambda: rest,
            "restore": lambda: [*here, pick.choice(self.ever)],
        }[move]()
        self.ever += changed
        return {**files, path: tuple(changed)}

    def fork(self) -> None:
        if len(self.branches) < 6:
            start = self.branches[self.random.choice(sorted(self.branches))]
            self.names += 1
            self.branches[f"b{self.names}"] = Branch(start.mark, start.files, list(start.before))
            self.commit(f"b{self.names}", self.edited(start.files))

    def join(self) -> None:
        """Merge a branch: its files, those of the other side, or some of each, and at times an edit in the merge."""
        others = [name for name in self.branches if name != "main"]
        if not others:
            return
        name = self.random.choice(others)
        ours, theirs = self.branches["main"], self.branches[name]
        files = {
            path: self.random.choice([side for side in (ours.files, theirs.files) if path in side])[path]
            for path in sorted(ours.files.keys() | theirs.files.keys())
        }
        self.commit("main", self.edited(files) if self.random.random() < 0.3 else files, theirs.mark)
        if self.random.random() < 0.4:
            self.drop(name)

    def abandon(self) -> None:
        """Remove a branch, at times with a tag in its place."""
        others = [name for name in self.branches if name != "main"]
        if others and self.random.random() < 0.3:
            name = self.random.choice(others)
            if self.random.random() < 0.5:
                self.out.append(f"reset refs/tags/{name}\nfrom :{self.branches[name].mark}\n\n")
            self.drop(name)

    def drop(self, name: str) -> None:
        del self.branches[name]
        self.out.append(f"reset refs/heads/{name}\nfrom {'0' * 40}\n\n")

    def commit(self, name: str, files: Files, merged: int = 0) -> None:
        self.mark += 1
        branch = self.branches.setdefault(name, Branch(0, {}))
        when = self.now
        if self.random.random() < 0.1 and (name != "main" or self.now < datetime(2026, 6, 1, tzinfo=UTC)):
            when -= timedelta(self.random.randint(1, 120))
        written = self.now - timedelta(self.random.randint(0, 300))
        self.out.append(f"commit refs/heads/{name}\nmark :{self.mark}\nauthor A <a@example.com> {_seconds(written)}\n"
                        f"committer A <a@example.com> {_seconds(when)}\ndata 6\nchange\n")  # fmt: skip
        self.out += [f"from :{branch.mark}\n"] if branch.mark else []
        self.out += [f"merge :{merged}\n"] if merged else []
        self.out.append("deleteall\n" + _file("LICENSE", MIT))
        self.out += [_file(path, "\n\n".join(one.text() for one in made)) for path, made in sorted(files.items())]
        if self.random.random() < 0.05:
            self.out.append(f"\nreset refs/tags/v{self.mark}\nfrom :{self.mark}\n\n")
        branch.before.append(branch.files)
        branch.mark, branch.files = self.mark, files


def _seconds(moment: datetime) -> str:
    return f"{int(moment.timestamp())} +0000"


def _file(path: str, text: str) -> str:
    return f"M 100644 inline {path}\ndata {len(text.encode())}\n{text}\n"


class Code(ast.NodeTransformer):
    """Takes out of a function what does not count."""

    def __init__(self, name: str) -> None:
        self.name = name

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.body = node.body[ast.get_docstring(node) is not None :]
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(node.arg)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name("itself" if node.id == self.name else node.id, node.ctx)


def codes(text: str) -> dict[int, str]:
    """All functions in a text by their lines: what is the same for those with the same code."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    plain = [Code(node.name).visit(deepcopy(node)) for node in nodes]
    return {one.lineno: ast.dump(ast.Module([one.args, *one.body], [])) for one in plain}


class Walk:
    """All commits that branches and tags lead to, and what functions each has."""

    def __init__(self, repository: Repository) -> None:
        rows = [line.split("|") for line in repository.git("log", "--all", "--format=%H|%P|%ct").splitlines()]
        self.parents = {row[0]: row[1].split() for row in rows}
        cutoff = datetime.fromisoformat(AFTER).replace(tzinfo=UTC).timestamp()
        self.old = set().union(*(self.ancestors(row[0]) for row in rows if int(row[2]) < cutoff))
        read: dict[str, set[str]] = {}
        self.codes: dict[str, set[str]] = {}
        for commit in self.parents:
            files = [line.split() for line in repository.git("ls-tree", "-r", commit).splitlines()]
            self.codes[commit] = set()
            for _, _, blob, path in files:
                if path.endswith(".py") and blob not in read:
                    read[blob] = set(codes(repository.git("cat-file", "blob", blob)).values())
                self.codes[commit] |= read.get(blob, set())
        self.ever_old = set().union(*(self.codes[commit] for commit in self.old))

    def ancestors(self, commit: str) -> set[str]:
        found: set[str] = set()
        todo = [commit]
        while todo:
            one = todo.pop()
            if one not in found:
                found.add(one)
                todo += self.parents[one]
        return found

    def is_first(self, commit: str, code: str) -> bool:
        """Whether a commit has a function, and none that came before it had it."""
        return [one for one in self.ancestors(commit) if code in self.codes[one]] == [commit]


def made(repository: Repository, seed: int, commits: int) -> None:
    stream = "".join(History(seed, commits).out)
    subprocess.run(["git", "fast-import", "--quiet", "--force"], cwd=repository.path, input=stream.encode(), check=True)


def check(repository: Repository, context: Context, seed: int, commits: int) -> tuple[int, int]:
    """Compare the verdict on each function of a random history with that of the walk: how many are new, and old."""
    made(repository, seed, commits)
    [locked] = LockStage(MineConfig()).run([Source("git", "random", "System Utilities", str(repository.path))], context)
    assert isinstance(locked, LockedSource)
    walk = Walk(repository)
    wanted = {}
    for path in repository.git("ls-tree", "-r", "--name-only", locked.upper.version).splitlines():
        if path.endswith(".py"):
            text = repository.git("show", f"{locked.upper.version}:{path}")
            wanted |= {(path, line): code for line, code in codes(text).items()}
    said = {}
    for one in MineStage(MineConfig()).run([locked], context):
        if isinstance(one, Function):
            where = one.provenance
            said[where.path, where.line_start] = False
            assert walk.is_first(where.revision, wanted[where.path, where.line_start])
        elif one.unit == "function":
            said[one.path, one.line] = one.reason == "prior_to_cutoff" and one.evidence.startswith("the same as ")
    assert said == {place: code in walk.ever_old for place, code in wanted.items()}
    return list(said.values()).count(False), list(said.values()).count(True)


def test_the_verdict_on_a_random_history_is_that_of_a_walk(repository: Repository, context: Context) -> None:
    new, old = check(repository, context, 5, 150)
    assert min(new, old) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 22))
def test_the_verdict_on_random_histories_is_that_of_a_walk(
    repository: Repository, context: Context, seed: int
) -> None:
    check(repository, context, seed, 400)
