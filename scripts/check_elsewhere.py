"""Check by a slow method of its own that no function which a build keeps stood in another project's past.

    code2bench build data/releases/NAME.toml --until-stage elsewhere
    python scripts/check_elsewhere.py build/NAME --sample 500

The slow method reads every archive from before the cutoff of every project of the build with `tarfile`, `zipfile` and
`ast`, and the Python of the runtime. The same are functions with equal `ast.dump`s without name, docstrings, hints
and decorators; renamed are those that are equal with their variables' names as numbers; near is what shares runs of at
least 4 words, four fifths in all and in the same order. `--stage screen` looks at what was kept before stage elsewhere.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import tarfile
import warnings
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

from check_novelty import ANY, RUN
from slow_novelty import Found, code_of, functions_in, shape_of, words_of
from tqdm import tqdm

from harness.errors import UserError
from harness.releases.dataset import cache_folder
from harness.runtime import find_runtime
from pipeline import store
from pipeline.records import Candidate, Function, LockedSource
from pipeline.shipped import RUNTIME, shipped

FEWEST = 20
"""Functions with fewer words are looked for by their code alone."""


@dataclass
class Claim:
    """A function that the build keeps, and where the slow method found it: the same, renamed, or most of it."""

    function: Function
    found: Found
    words: list[str]
    same: str = ""
    renamed: str = ""
    near: tuple[float, str] = (0.0, "")

    def told(self) -> str:
        """What was found, "" for nothing."""
        if self.same or self.renamed:
            return f"SAME    {self.same}" if self.same else f"RENAMED {self.renamed}"
        return f"NEAR    {self.near[0]:.0%} in {self.near[1]}" if self.near[0] >= ANY else ""


def claims_of(build: Path, stage: str, sample: int) -> list[Claim]:
    """A sample of the functions that a stage of a build has kept."""
    [folder] = (build / "stages").glob(f"*-{stage}")
    files = sorted(folder.glob("*.kept.parquet"))
    kept = [one.function for path in files for one in store.read(path, Candidate)]
    kept.sort(key=lambda one: (one.provenance.project, one.provenance.path, one.provenance.line_start))
    drawn = random.Random("elsewhere").sample(kept, min(sample or len(kept), len(kept)))
    found = [(one, next(iter(functions_in(one.source.encode())))) for one in drawn]
    return [Claim(one, text, words_of(text.text, text.name)) for one, text in found]


def files_of(build: Path, runtime: bool) -> Iterator[tuple[str, str, bytes]]:
    """The Python files of the runtime and of all archives from before the cutoff: whose, where, and what is in them."""
    for library in find_runtime(shipped(RUNTIME)).libraries() if runtime else ():
        for path, file in library.files:
            yield library.project or library.title, f"{path} of {library.title}", file.read_bytes()
    [folder] = (build / "stages").glob("*-lock")
    locked = [one for path in sorted(folder.glob("*.kept.parquet")) for one in store.read(path, LockedSource)]
    for source in tqdm([one for one in locked if one.source.kind == "pypi"], "projects", leave=False):
        for archive in source.baseline:
            place = cache_folder() / "archives" / archive.sha256[:2] / archive.sha256
            for path, data in _unpacked(place):
                yield source.source.name, f"{path} of {archive.file_name}", data


def _unpacked(place: Path) -> Iterator[tuple[str, bytes]]:
    if zipfile.is_zipfile(place):
        with zipfile.ZipFile(place) as archive:
            yield from ((name, archive.read(name)) for name in archive.namelist() if name.endswith(".py"))
        return
    with tarfile.open(place) as tar:
        for member in tar:
            if member.isreg() and member.name.endswith(".py"):
                file = tar.extractfile(member)
                yield member.name, file.read() if file else b""


class Walk:
    """Reads file by file, and notes which of the claimed functions stand in it."""

    def __init__(self, claims: Sequence[Claim]) -> None:
        self._claims = claims
        self._shapes: dict[str, list[Claim]] = defaultdict(list)
        self._runs: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        self._seen: set[bytes] = set()
        for number, claim in enumerate(claims):
            self._shapes[shape_of(claim.found)].append(claim)
            for at in range(len(claim.words) - RUN + 1) if len(claim.words) >= FEWEST else ():
                self._runs[tuple(claim.words[at : at + RUN])].append((number, at))

    def see(self, project: str, where: str, data: bytes) -> None:
        """Compare the functions of a file, each text once for each project, with those of other projects."""
        for found in functions_in(data) if self._is_new(project, data) else ():
            if self._is_new(project, found.text.encode("utf-8", "replace")):
                place = f"{found.name} in {where}"
                self._compare_code(project, found, place)
                self._compare_words(project, words_of(found.text, found.name), place)

    def _is_new(self, project: str, data: bytes) -> bool:
        key = sha256(project.encode() + b"\0" + data).digest()
        known = key in self._seen
        self._seen.add(key)
        return not known

    def _compare_code(self, project: str, found: Found, place: str) -> None:
        alike = [one for one in self._shapes.get(shape_of(found), ()) if not is_own(one.function, project)]
        code = code_of(found) if alike else ""
        for claim in alike:
            if code_of(claim.found) == code:
                claim.same = claim.same or place
            elif len(claim.words) >= FEWEST and numbered(claim.found) == numbered(found) != "":
                claim.renamed = claim.renamed or place

    def _compare_words(self, project: str, words: list[str], place: str) -> None:
        covered: dict[int, set[int]] = defaultdict(set)
        for run in {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)} & self._runs.keys():
            for number, at in self._runs[run]:
                covered[number].update(range(at, at + RUN))
        for number, places in covered.items():
            claim = self._claims[number]
            least = max(ANY, claim.near[0]) * len(claim.words)
            if len(places) >= least and not is_own(claim.function, project):
                blocks = SequenceMatcher(None, claim.words, words, autojunk=False).get_matching_blocks()
                share = sum(block.size for block in blocks if block.size >= RUN) / len(claim.words)
                claim.near = max(claim.near, (share, place))


def is_own(function: Function, project: str) -> bool:
    """Whether a function is of a project, or of the library of that name."""
    own = {function.provenance.project, *function.provenance.path.split("/")[:2]}
    return project.lower().replace("-", "_") in {one.lower().replace("-", "_") for one in own}


@dataclass
class _Numbering(ast.NodeTransformer):
    """Names that a function binds become numbers, in the order in which they stand in the tree."""

    bound: set[str]
    numbers: dict[str, str] = field(default_factory=dict)

    def _number(self, name: str) -> str:
        return self.numbers.setdefault(name, f"${len(self.numbers)}") if name in self.bound else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A variable."""
        return ast.Name(self._number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """A parameter."""
        return ast.arg(self._number(node.arg))


def numbered(found: Found) -> str:
    """The code of a function with its variables as numbers; "" where Python can't read it."""
    if found.node is None:
        return ""
    node: Any = deepcopy(found.node)
    names = [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and not isinstance(one.ctx, ast.Load)]
    globals_ = set(chain.from_iterable(one.names for one in ast.walk(node) if isinstance(one, ast.Global)))
    bound = {*names, *(one.arg for one in ast.walk(node) if isinstance(one, ast.arg))} - globals_
    return code_of(Found(found.name, found.lines, found.text, _Numbering(bound).visit(node)))


def main() -> None:
    """Check what a build kept, and print each function that stood elsewhere."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the folder of a build that came to stage elsewhere")
    parser.add_argument("--stage", default="elsewhere", help="the stage whose kept functions are checked")
    parser.add_argument("--sample", type=int, default=0, help="how many functions; 0 is all")
    parser.add_argument("--projects-only", action="store_true", help="leave the runtime out, which takes minutes")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    claims = claims_of(options.build, options.stage, options.sample)
    walk = Walk(claims)
    for project, where, data in files_of(options.build, not options.projects_only):
        walk.see(project, where, data)
    told = [(claim, said) for claim in claims if (said := claim.told())]
    for claim, said in told:
        where = claim.function.provenance
        print(f"{where.project} {where.path}:{where.line_start} {claim.function.qualified}  {said}")
    print(f"{len(claims)} functions were kept, {len(told)} of them stood elsewhere by the slow method")


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
