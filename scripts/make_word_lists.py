"""Make the frozen word lists in data/words from two packages of Debian, which are checked by their hashes.

    python scripts/make_word_lists.py FOLDER

FOLDER holds what `apt-get download wordnet-base wamerican` brings. The same packages give the same bytes.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parents[1] / "data" / "words"
WORDNET = "wordnet-base", "61060d960f9ada8fa120872312eccd3ecebfbab8c4579e4f5a74e1cf67620752"
AMERICAN = "wamerican", "c8f8e2b2ad0d37bfdd41f0e40f1e4c8e5f907467d768a1d3698b164e9617f0b4"
KINDS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_WORD = re.compile(r"[a-z]+")


def main() -> None:
    """Write the lists."""
    folder = Path(sys.argv[1])
    wordnet, american = unpacked(folder, *WORDNET), unpacked(folder, *AMERICAN)
    entries = {(word, kind): others for name, kind in KINDS.items() for word, others in senses(wordnet, name)}
    known = {line.strip().lower() for line in american["usr/share/dict/american-english"].splitlines()}
    known |= {word for word, _ in entries}
    kept = {key: others for key, others in entries.items() if others or key[1] == "v"}
    write("english.txt.gz", sorted(word for word in known if _WORD.fullmatch(word)))
    write("wordnet.tsv.gz", [f"{word}\t{kind}\t{','.join(kept[word, kind])}" for word, kind in sorted(kept)])
    notice = wordnet["usr/share/wordnet/data.verb"].splitlines()[:29]
    wordlist = american["usr/share/doc/wamerican/copyright"]
    licence = [
        "wordnet.tsv.gz, and words of english.txt.gz, are from WordNet 3.0:", "",
        *(re.sub(r"^ +\d+ ?", "", line).rstrip() for line in notice), "",
        "Words of english.txt.gz are from the list american-english of Debian's package wamerican:", "", wordlist]
    (HERE / "LICENCE.wordnet").write_text("\n".join(licence).rstrip() + "\n", "utf-8")


def unpacked(folder: Path, package: str, sha256: str) -> dict[str, str]:
    """The text files of a package by their paths; ends the process where it is another package."""
    for file in sorted(folder.glob(f"{package}_*.deb")):
        if hashlib.sha256(file.read_bytes()).hexdigest() == sha256:
            data = subprocess.run(["dpkg-deb", "--fsys-tarfile", file], check=True, capture_output=True).stdout
            with tarfile.open(fileobj=io.BytesIO(data)) as archive:
                return {one.name.removeprefix("./"): text(archive, one) for one in archive if one.isfile()}
    sys.exit(f"{folder} has no {package} with the SHA-256 {sha256}: `apt-get download {package}` brings it.")


def text(archive: tarfile.TarFile, member: tarfile.TarInfo) -> str:
    """What a file holds."""
    file = archive.extractfile(member)
    assert file is not None
    return file.read().decode("utf-8", "replace")


def senses(wordnet: dict[str, str], name: str) -> Iterator[tuple[str, list[str]]]:
    """Each single word of a part of speech, with the other single words of its first sense."""
    synsets = {}
    for line in wordnet[f"usr/share/wordnet/data.{name}"].splitlines():
        if not line.startswith(" "):
            fields = line.split()
            count = int(fields[3], 16)
            synsets[fields[0]] = [re.sub(r"\(.*", "", one) for one in fields[4 : 4 + 2 * count : 2]]
    for line in wordnet[f"usr/share/wordnet/index.{name}"].splitlines():
        word, _, rest = line.partition(" ")
        if _WORD.fullmatch(word):
            fields = rest.split()
            first = fields[-int(fields[1])]
            yield word, [one for one in synsets[first] if one != word and _WORD.fullmatch(one)]


def write(name: str, lines: list[str]) -> None:
    """Lines, packed without a date."""
    packed = gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0)
    (HERE / name).write_bytes(packed)


if __name__ == "__main__":
    main()
