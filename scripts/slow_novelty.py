"""The slow method of `check_novelty.py`: the functions of a repository's whole history by `git` and `ast` alone.

Nothing of the pipeline is used here, so that a fault of it can't hide itself.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import textwrap
import tokenize
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tqdm import tqdm

REFS = ("refs/heads", "refs/tags", "refs/remotes")
_LINE_END = re.compile(r"\r\n|\r|\n")
_HEAD = re.compile(r"^([ \t]*)(?:async[ \t]+)?def[ \t]+(\w+)")
_WORD = re.compile(r"\w+|[^\w\s]")
_NO_WORDS = re.compile(r'"""(?:[^\\]|\\.)*?"""|\'\'\'(?:[^\\]|\\.)*?\'\'\'|#[^\n]*', re.S)


@dataclass(frozen=True)
class Found:
    """A function in a file: `node` is its syntax tree, None where Python can't read it."""

    name: str
    lines: tuple[int, int]
    text: str
    node: ast.AST | None


def functions_in(data: bytes) -> list[Found]:
    """All functions of a file, those inside others and inside classes included."""
    text = _decoded(data)
    lines = _LINE_END.split(text)
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return list(_cut_out(lines))
    found = []
    for node in _definitions(tree):
        first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
        last = node.end_lineno or node.lineno
        found.append(Found(node.name, (first, node.lineno), "\n".join(lines[first - 1 : last]), node))
    return found


def _decoded(data: bytes) -> str:
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except (SyntaxError, LookupError, UnicodeDecodeError):
        return data.decode("latin-1")


def _definitions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions in a tree; only statements hold any."""
    work: list[ast.AST] = [tree]
    while work:
        node = work.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node
        for part in ("body", "orelse", "finalbody", "handlers", "cases"):
            inner = getattr(node, part, None)
            work.extend(inner if isinstance(inner, list) else ())


def _cut_out(lines: Sequence[str]) -> Iterator[Found]:
    """The functions of a text that is no Python of today: each from its `def` to the next line as far to the left."""
    for start, line in enumerate(lines):
        if not (head := _HEAD.match(line)):
            continue
        depth = len(head[1].expandtabs())
        end = next((at for at in range(start + 1, len(lines)) if _is_outside(lines[at], depth)), len(lines))
        text = "\n".join(lines[start:end]).rstrip()
        yield Found(head[2], (start + 1, start + 1), text, _alone(textwrap.dedent(text)))


def _is_outside(line: str, depth: int) -> bool:
    rest = line.expandtabs().lstrip()
    return bool(rest) and rest[0] not in "#)]}" and len(line.expandtabs()) - len(rest) <= depth


def _alone(text: str) -> ast.AST | None:
    try:
        return next(_definitions(ast.parse(text)), None)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def shape_of(found: Found) -> str:
    """What functions with the same code have in common, and is told quickly."""
    node = found.node
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return "words"
    args = node.args
    counts = len(args.posonlyargs), len(args.args), len(args.kwonlyargs), bool(args.vararg), bool(args.kwarg)
    kinds = [type(one).__name__.replace("AnnAssign", "Assign") for one in _statements(node.body)]
    return f"{counts} {kinds}"


def code_of(found: Found) -> str:
    """The code of a function as a text: equal when two functions are the same but for what does not count."""
    if found.node is None:
        return "\n".join(words_of(found.text, found.name))
    node = _Plain(found.name).visit(deepcopy(found.node))
    return ast.dump(ast.Module([node.args, *node.body], []), annotate_fields=False)


def _statements(body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A body without its documentation and without mere annotations."""
    first = body[0] if body else None
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(
        first.value.value, str
    )  # fmt: skip
    return [one for one in body[documented:] if not (isinstance(one, ast.AnnAssign) and one.value is None)]


class _Plain(ast.NodeTransformer):
    """Takes out of a function what does not count: its name, documentation, annotations."""

    def __init__(self, name: str) -> None:
        self._name = name

    def _plain(self, node: Any) -> ast.AST:
        node.body = _statements(node.body)
        node.returns = node.type_comment = None
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function, the outer one or one inside it."""
        return self._plain(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        """The same for `async def`."""
        return self._plain(node)

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        """A class inside a function has documentation too."""
        node.body = _statements(node.body)
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """A parameter keeps its name."""
        return ast.arg(node.arg)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        """A mere annotation goes, any other is an assignment."""
        if node.value is None:
            return None
        return self.generic_visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A function that calls itself does so under any name."""
        return ast.Name("<itself>" if node.id == self._name else node.id, node.ctx)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """An f-string without fields is a plain one."""
        texts = [one.value for one in node.values if isinstance(one, ast.Constant)]
        return ast.Constant("".join(texts)) if len(texts) == len(node.values) else self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """A literal is its value: `u"a"` is `"a"`."""
        return ast.Constant(node.value)


def words_of(text: str, name: str) -> list[str]:
    """The words of a function's code; where Python can't read it, without comments, long strings and its own name."""
    node = _alone(f"if 1:\n{text}" if text[:1].isspace() else text)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        plain = _Plain(name).visit(node)
        return _WORD.findall("\n".join(ast.unparse(one) for one in (plain.args, *plain.body)))
    return [word for word in _WORD.findall(_NO_WORDS.sub(" ", text)) if word != name]


class Repository:
    """A repository as git's own commands tell it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def git(self, *command: str, given: str = "") -> str:
        """What a command of git prints."""
        done = subprocess.run(["git", "-C", str(self._folder), *command], input=given.encode(), capture_output=True,
                              check=True)  # fmt: skip
        return done.stdout.decode("utf-8", "backslashreplace")

    def heads(self, patterns: Sequence[str]) -> list[str]:
        """The commits that the refs below these patterns lead to, where they are there."""
        names = self.git("for-each-ref", "--format=%(objectname)", *patterns).split()
        lines = self.git("cat-file", "--batch-check", given="".join(f"{n}^{{commit}}\n" for n in names)).splitlines()
        return sorted({line.split()[0] for line in lines if line.split()[1] == "commit"})

    def reached(self, commits: Iterable[str], *options: str) -> list[str]:
        """All commits that these lead to, by date, but parents first."""
        given = "".join(f"{one}\n" for one in commits)
        return self.git("rev-list", "--date-order", "--reverse", *options, "--stdin", given=given).split()

    def before(self, heads: Sequence[str], day: str) -> set[str]:
        """The commits with a committer date before a day, UTC, and all of their ancestors."""
        midnight = int(datetime.fromisoformat(day).replace(tzinfo=UTC).timestamp())
        dated = self.reached(heads, f"--min-age={midnight - 1}")
        return set(self.reached(dated)) if dated else set()

    def trees(self, commits: Sequence[str]) -> dict[str, tuple[str, list[str]]]:
        """The tree of each commit, and its parents."""
        text = self.git("log", "--no-walk=unsorted", "--format=%H %T %P", "--stdin", given="\n".join(commits) + "\n")
        rows = [line.split() for line in text.splitlines()] if commits else []
        return {row[0]: (row[1], row[2:]) for row in rows}

    def files(self, tree: str) -> list[tuple[str, str]]:
        """The files of a tree that hold Python: blob and path; none where the tree is not there."""
        try:
            text = self.git("ls-tree", "-r", "-z", "--full-tree", tree)
        except subprocess.CalledProcessError:
            tqdm.write(f"the tree {tree} is not there", file=sys.stderr)
            return []
        rows = (row.split("\t", 1) for row in text.split("\0") if row.endswith(".py"))
        return [(about.split()[2], path) for about, path in rows if about.startswith("100")]

    def read(self, blobs: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """The contents of blobs; those that are not there are left out."""
        with subprocess.Popen(["git", "-C", str(self._folder), "cat-file", "--batch"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as process:  # fmt: skip
            assert process.stdin and process.stdout
            for blob in blobs:
                process.stdin.write(f"{blob}\n".encode())
                process.stdin.flush()
                about = process.stdout.readline().split()
                if about[1] != b"missing":
                    yield blob, process.stdout.read(int(about[2]) + 1)[:-1]
            process.stdin.close()


@dataclass
class Walk:
    """Every commit of a repository with the files that it has; windows by the name of their release.

    `old` are the blobs from before a window's cutoff, each with a commit and a path, `elsewhere` those of other refs;
    `within` are the commits of a window, each with its blobs and its parents.
    """

    old: dict[str, dict[str, str]] = field(default_factory=dict)
    elsewhere: dict[str, dict[str, str]] = field(default_factory=dict)
    within: dict[str, dict[str, tuple[set[str], list[str]]]] = field(default_factory=dict)


def walk(repository: Repository, windows: dict[str, tuple[str, str]], others: Sequence[str]) -> Walk:
    """List the files of every commit; `windows` are the days of the cutoffs, and the upper commits."""
    heads = repository.heads(REFS) + [upper for _, upper in windows.values()]
    strays = sorted(set(repository.heads(others)) - set(heads)) if others else []
    old = {name: repository.before(heads, day) for name, (day, _) in windows.items()}
    stray = {name: repository.before(strays, day) - old[name] for name, (day, _) in windows.items()}
    new = {name: [c for c in repository.reached([upper]) if c not in old[name]] for name, (_, upper) in windows.items()}
    result = Walk(*({name: {} for name in windows} for _ in range(3)))
    commits = sorted(set().union(*old.values(), *stray.values(), *new.values()))
    inside = {name: set(found) for name, found in new.items()}
    for commit, (tree, parents) in tqdm(repository.trees(commits).items(), "commits", leave=False):
        files = repository.files(tree)
        for name in windows:
            for held, kept in ((old, result.old), (stray, result.elsewhere)):
                if commit in held[name]:
                    for blob, path in files:
                        kept[name].setdefault(blob, f"{path} of {commit[:10]}")
            if commit in inside[name]:
                result.within[name][commit] = {blob for blob, _ in files}, parents
    for name, order in new.items():
        result.within[name] = {commit: result.within[name][commit] for commit in order}
    return result


@dataclass
class Text:
    """A text that functions had: by which releases it is old, and which claims are about the same code."""

    name: str
    text: str
    windows: set[str] = field(default_factory=set)
    claims: tuple[int, ...] = ()
    where: str = ""


class Scan:
    """Reads every version of every file once, and notes which of the claimed functions stand in it."""

    def __init__(self, claimed: Sequence[Found | None]) -> None:
        self._by_code: dict[str, list[int]] = defaultdict(list)
        self._shapes = set()
        for number, found in enumerate(claimed):
            if found is not None:
                self._shapes.add(shape_of(found))
                self._by_code[code_of(found)].append(number)
        self.texts: dict[str, Text] = {}
        self.holders: dict[int, set[str]] = defaultdict(set)

    def see(self, blob: str, data: bytes, windows: set[str], where: str) -> None:
        """Read a version of a file, which is older than the cutoffs of some windows."""
        for found in functions_in(data):
            known = self.texts.get(found.text)
            if known is None:
                known = self.texts[found.text] = Text(found.name, found.text, set(), self._claims(found), where)
            if windows and not known.windows:
                known.where = where
            known.windows |= windows
            for number in known.claims:
                self.holders[number].add(blob)

    def _claims(self, found: Found) -> tuple[int, ...]:
        return tuple(self._by_code.get(code_of(found), ())) if shape_of(found) in self._shapes else ()
