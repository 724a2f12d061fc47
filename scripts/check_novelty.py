"""Check what stage mine says of a repository's functions, new or old, against a slow method of its own.

    code2bench build data/releases/NAME.toml --until-stage mine
    python scripts/check_novelty.py data/releases/NAME.toml --sample 500 --out build/novelty

The slow method lists the whole tree of every commit by `git ls-tree`, reads every version of every file with `ast`, and
compares `ast.dump`s without name, docstrings, annotations and decorators; what `ast` refuses is cut into its functions
by indentation. A commit is older than the cutoff if its committer date is, or if it is an ancestor of such a commit.
Near is what shares runs of at least 4 words with an older function: half of a function with an older one of its name,
or four fifths with any. Several configurations with the same repositories are checked in one pass. `--others refs/pull`
tells besides which new functions stood earlier in what no branch or tag leads to.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from slow_novelty import Found, Repository, Scan, Text, Walk, functions_in, walk, words_of
from tqdm import tqdm

from harness.errors import UserError
from pipeline import store
from pipeline.config import ReleaseConfig
from pipeline.config_file import load_config
from pipeline.flow import Options, context_of
from pipeline.records import Function, LockedSource, Rejection

RUN = 4
NAMESAKE, ANY = 0.5, 0.8
CLAIMS = {
    "new": "kept as new",
    "same": "old: the same code",
    "renamed": "old: the same but for the names of its variables",
    "part": "old: a part of it stood there",
    "text": "old: a part of its text stood there",
    "other": "left for another reason, so not called old",
}
_OLD = {
    "the same as ": "same",
    "the same but for the names of its variables": "renamed",
    "of its text, documentation included, stood in ": "text",
    "of it stood in ": "part",
}
_BEFORE_NOVELTY = ("unparsable", "secret")


@dataclass(frozen=True)
class Claim:
    """What the pipeline says of a function of the upper commit: one of `CLAIMS`, and with which evidence."""

    window: str
    project: str
    path: str
    name: str
    line: int
    says: str
    evidence: str
    revision: str = ""


@dataclass
class Finding:
    """A claim, and what the slow method found; the likenesses are the highest share, with the function that has it.

    `old` is a path and a commit from before the cutoff that has the same code, "" if none has, `elsewhere` the same
    among the other refs. `introduced` are the commits of the window that have it while their parents don't, the
    earliest first; `touched` are those that `git log -L` tells of its lines, `named` is the first one that
    changed how often `def name` stands in its file.
    """

    claim: Claim
    old: str = ""
    elsewhere: str = ""
    introduced: tuple[str, ...] = ()
    touched: tuple[str, ...] = ()
    named: str = ""
    namesake: tuple[float, str] = (0.0, "")
    likest: tuple[float, str] = (0.0, "")
    text: tuple[float, str] = (0.0, "")

    def is_near(self) -> bool:
        """Whether the slow method calls it a version of an older function, or a copy."""
        return bool(self.old) or max(self.namesake[0], self.text[0]) >= NAMESAKE or self.likest[0] >= ANY


class Likeness:
    """Looks among older functions for those that share runs of words with the claimed ones."""

    def __init__(self, claimed: dict[int, Found]) -> None:
        self._words = {number: words_of(one.text, one.name) for number, one in claimed.items()}
        self._places: dict[tuple[str, ...], list[tuple[int, int]]] = defaultdict(list)
        for number, words in self._words.items():
            for at in range(len(words) - RUN + 1):
                self._places[tuple(words[at : at + RUN])].append((number, at))
        self._names: dict[str, list[int]] = defaultdict(list)
        for number, one in claimed.items():
            self._names[one.name].append(number)
        self._lines = {number: [line.strip() for line in one.text.split("\n")] for number, one in claimed.items()}

    def see(self, text: Text, findings: Sequence[Finding]) -> None:
        """Compare an older function with all claimed ones."""
        words = words_of(text.text, text.name)
        runs = {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
        covered: dict[int, set[int]] = defaultdict(set)
        for run in runs & self._places.keys():
            for number, at in self._places[run]:
                covered[number].update(range(at, at + RUN))
        for number, places in covered.items():
            finding = findings[number]
            if finding.claim.window in text.windows:
                self._compare(number, finding, text, words, len(places) / len(self._words[number]))
        for number in self._names.get(text.name, ()):
            if findings[number].claim.window in text.windows:
                self._compare_lines(number, findings[number], text)

    def _compare(self, number: int, finding: Finding, text: Text, words: list[str], most: float) -> None:
        """Find the share of a function that stands in another in the same order; it can't be more than `most`."""
        namesake = text.name == finding.claim.name
        least = finding.namesake[0] if namesake else max(finding.likest[0], ANY - 0.05)
        if most <= least:
            return
        own = self._words[number]
        blocks = SequenceMatcher(None, own, words, autojunk=False).get_matching_blocks()
        share = round(sum(block.size for block in blocks if block.size >= RUN) / len(own), 3)
        if namesake and share > finding.namesake[0]:
            finding.namesake = share, f"{text.name} in {text.where}"
        if share > finding.likest[0]:
            finding.likest = share, f"{text.name} in {text.where}"

    def _compare_lines(self, number: int, finding: Finding, text: Text) -> None:
        own, other = self._lines[number], [line.strip() for line in text.text.split("\n")]
        total = sum(map(len, own))
        blocks = SequenceMatcher(None, own, other, autojunk=False).get_matching_blocks()
        shared = sum(len(line) for block in blocks for line in own[block.a : block.a + block.size])
        if total and shared / total > finding.text[0]:
            finding.text = round(shared / total, 3), f"{text.name} in {text.where}"


def claims_of(config: ReleaseConfig, build: Path, sample: int) -> Iterator[tuple[LockedSource, list[Claim]]]:
    """The repositories of a build, each with a sample of what was said of its functions at module level."""
    folders = {folder.name.partition("-")[2]: folder for folder in (build / "stages").glob("*")}
    if not {"lock", "mine"} <= folders.keys():
        raise UserError(f"{build} is no build that came to stage mine: build {config.path.name} with --folder {build}.")
    every: dict[str, list[Claim]] = defaultdict(list)
    for one in _read(folders["mine"], "kept", Function):
        where = one.provenance
        evidence = f"nearest {where.similarity:.0%}: {where.nearest}"
        place = config.name, where.project, where.path, one.qualified, where.line_start
        every[where.project].append(Claim(*place, "new", evidence, where.revision))
    for left in _read(folders["mine"], "rejected", Rejection):
        if left.unit == "function" and left.reason not in _BEFORE_NOVELTY:
            says = next((says for words, says in _OLD.items() if words in left.evidence), "other")
            says = says if left.reason == "prior_to_cutoff" else "other"
            place = config.name, left.project, left.path, left.name, left.line
            every[left.project].append(Claim(*place, says, left.evidence))
    for locked in _read(folders["lock"], "kept", LockedSource):
        if locked.source.kind == "git":
            yield locked, _drawn(every[locked.source.name], sample)


def _read(folder: Path, what: str, kind: type) -> Iterator[Any]:
    for path in sorted(folder.glob(f"*.{what}.parquet")):
        yield from store.read(path, kind)


def _drawn(claims: Sequence[Claim], sample: int) -> list[Claim]:
    drawn = []
    for says in CLAIMS:
        found = sorted((c for c in claims if c.says == says), key=lambda c: (c.path, c.line))
        drawn += random.Random(f"novelty {says}").sample(found, min(sample, len(found)))
    return drawn


def check(repository: Repository, windows: dict[str, tuple[str, str]], claims: Sequence[Claim],
          others: Sequence[str]) -> list[Finding]:  # fmt: skip
    """Decide about each of the claimed functions of a repository by the slow method."""
    walked = walk(repository, windows, others)
    claimed = [_claimed(repository, windows[claim.window][1], claim) for claim in claims]
    scan = _scanned(repository, walked, Scan(claimed))
    findings = [Finding(claim) for claim in claims]
    for number, finding in enumerate(findings):
        blobs, window = scan.holders[number], finding.claim.window
        finding.old = min((walked.old[window][blob] for blob in blobs & walked.old[window].keys()), default="")
        finding.elsewhere = min(
            (walked.elsewhere[window][blob] for blob in blobs & walked.elsewhere[window].keys()), default="")
        if finding.claim.says == "new":
            finding.introduced = _introduced(walked.within[window], blobs)
            finding.named, finding.touched = _told_by_log(repository, finding.claim, windows[window], claimed[number])
    wanted = {n: one for n, one in enumerate(claimed) if one and claims[n].says in ("new", "part", "text")}
    likeness = Likeness(wanted)
    for text in tqdm(scan.texts.values(), "likeness", leave=False):
        if text.windows:
            likeness.see(text, findings)
    return [finding for finding, one in zip(findings, claimed, strict=True) if one]


def _claimed(repository: Repository, upper: str, claim: Claim) -> Found | None:
    data = repository.git("show", f"{upper}:{claim.path}").encode("utf-8", "surrogateescape")
    name = claim.name.rpartition(".")[2]
    found = [one for one in functions_in(data) if one.name == name and one.lines[0] <= claim.line <= one.lines[1]]
    if not found:
        tqdm.write(f"{claim.path}:{claim.line} {claim.name} was not found", file=sys.stderr)
    return found[0] if found else None


def _scanned(repository: Repository, walked: Walk, scan: Scan) -> Scan:
    blobs: dict[str, str] = {}
    for places in (*walked.old.values(), *walked.elsewhere.values()):
        for blob, where in places.items():
            blobs.setdefault(blob, where)
    for commits in walked.within.values():
        for held, _ in commits.values():
            blobs |= dict.fromkeys(held - blobs.keys(), "the window")
    for blob, data in tqdm(repository.read(sorted(blobs)), "files", len(blobs), leave=False):
        windows = {name for name, places in walked.old.items() if blob in places}
        scan.see(blob, data, windows, blobs[blob])
    return scan


def _introduced(commits: dict[str, tuple[set[str], list[str]]], blobs: set[str]) -> tuple[str, ...]:
    """The commits that have one of the blobs while none of their parents has, in the order of the commits."""
    holding = {commit for commit, (held, _) in commits.items() if held & blobs}
    return tuple(c for c, (_, parents) in commits.items() if c in holding and not holding & set(parents))


def _told_by_log(repository: Repository, claim: Claim, window: tuple[str, str], found: Found | None
                 ) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """The first commit of the window that `git log -S` has for the function's name, and those that `-L` has for it."""
    last = claim.line + (found.text.count("\n") if found else 0)
    log = ("log", "--reverse", "--format=%H", f"--since={window[0]}T00:00:00Z", window[1])
    named = repository.git(*log, f"-Sdef {claim.name.rpartition('.')[2]}(", "--", claim.path)
    touched = repository.git(*log, "--no-patch", f"-L{claim.line},{last}:{claim.path}")
    return named.split("\n")[0], tuple(touched.split())


def report(findings: Sequence[Finding]) -> Iterator[str]:
    """The figures of a repository, or of all."""
    says = Counter(finding.claim.says for finding in findings)
    yield ", ".join(f"{says[one]} {words}" for one, words in CLAIMS.items())
    new = [finding for finding in findings if finding.claim.says != "same"]
    right = sum(not finding.old for finding in new)
    missed = sum(not finding.old for finding in findings if finding.claim.says == "same")
    wrong, precision, recall = len(new) - right, _share(right, len(new)), _share(right, right + missed)
    yield f"exact: not called the same {len(new)}, of them {wrong} were there: precision {precision}"
    yield f"exact: called the same {says['same']}, of them {missed} were not there: recall {recall}"
    for one in ("new", "part", "text"):
        near = sum(finding.is_near() for finding in findings if finding.claim.says == one)
        yield f"near: {CLAIMS[one]} {says[one]}, by the slow method {near} old and {says[one] - near} new"
    kept = [finding for finding in findings if finding.claim.says == "new"]
    yield (
        f"introduced by: the same commit {sum(f.introduced[:1] == (f.claim.revision,) for f in kept)}, one of several "
        f"{sum(f.claim.revision in f.introduced[1:] for f in kept)}, another "
        f"{sum(f.claim.revision not in f.introduced for f in kept)}; several introduced it "
        f"{sum(len(f.introduced) > 1 for f in kept)}; `git log -L` tells of it in "
        f"{sum(f.claim.revision in f.touched for f in kept)}; by `git log -S` the name is of the same commit in "
        f"{sum(f.named == f.claim.revision for f in kept)}, of another in "
        f"{sum(bool(f.named) and f.named != f.claim.revision for f in kept)}"
    )
    yield f"earlier in other refs alone: {sum(bool(f.elsewhere) and not f.old for f in kept)} of {len(kept)} new ones"


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.4f}" if whole else "undefined"


def disagreements(findings: Iterable[Finding]) -> Iterator[str]:
    """Each disagreement in a line, with both sides' evidence."""
    for one in findings:
        claim = one.claim
        place = f"{claim.window} {claim.project} {claim.path}:{claim.line} {claim.name}"
        where = f"{place} [{claim.says}: {claim.evidence}]"
        if (claim.says == "same") != bool(one.old):
            yield f"EXACT  {where} slow: {one.old or 'it was not there'}"
        elif claim.says in ("new", "part", "text") and (claim.says == "new") == one.is_near():
            yield f"NEAR   {where} slow: namesake {one.namesake} likest {one.likest} text {one.text}"
        if claim.says == "new" and one.introduced[:1] != (claim.revision,):
            yield f"COMMIT {where} says {claim.revision[:10]}, slow: {[c[:10] for c in one.introduced]}"
        if claim.says == "new" and claim.revision not in one.touched:
            yield f"LINES  {where} says {claim.revision[:10]}, `git log -L`: {[c[:10] for c in one.touched]}"
        if claim.says == "new" and one.elsewhere and not one.old:
            yield f"OTHER  {where} stood before in {one.elsewhere}"


def main() -> None:
    """Check the builds of some configurations, repository by repository; what was checked before is read again."""
    options = _options()
    warnings.simplefilter("ignore")
    locations: dict[str, str] = {}
    claims: dict[str, list[Claim]] = defaultdict(list)
    windows: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for path in options.configs:
        config = load_config(path)
        after = context_of(config, Options()).after
        for locked, drawn in claims_of(config, options.builds / config.name, options.sample):
            if options.only and locked.source.name not in options.only:
                continue
            locations[locked.source.name] = locked.source.location
            claims[locked.source.name] += drawn
            windows[locked.source.name][config.name] = after, locked.upper.version
    every = []
    for project, location in sorted(locations.items()):
        kept = options.out / f"{project}.json"
        if not kept.is_file():
            found = check(Repository(Path(location)), windows[project], claims[project], options.others)
            store.write_bytes(kept, json.dumps([asdict(one) for one in found], indent=1).encode())
        findings = [_finding(row) for row in json.loads(kept.read_text("utf-8"))]
        every += findings
        print("\n".join([f"\n## {project}", *report(findings), *disagreements(findings)]), flush=True)
    print("\n".join(["\n## all", *report(every)]))


def _finding(row: dict[str, Any]) -> Finding:
    plain = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items() if key != "claim"}
    return Finding(Claim(**row["claim"]), **plain)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("configs", nargs="+", type=Path, help="releases whose sources are local repositories")
    parser.add_argument("--builds", type=Path, default=Path("build"), help="the folder with their builds, by name")
    parser.add_argument("--sample", type=int, default=300, help="how many functions of a repository and of a kind")
    parser.add_argument("--only", nargs="*", default=(), help="repositories to check; all, when none is named")
    parser.add_argument("--others", nargs="*", default=(), help="patterns of refs that the pipeline does not read")
    parser.add_argument("--out", type=Path, required=True, help="a folder for what was found, a file per repository")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
