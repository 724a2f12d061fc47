"""Small functions whose branches must all be found, and functions that must leave for a reason."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.suites.drafts import Ablation, Draft, Refused, SuiteRequest
from pipeline.suites.sandbox.start import build_suites


def program(text: str) -> str:
    return dedent(text).strip() + "\n"


def request(text: str, seed: int = 7) -> SuiteRequest:
    """A request for the last function of a program, named by it."""
    source = program(text)
    tree = ast.parse(source)
    name = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1]
    imports = [node for node in tree.body if isinstance(node, ast.Import)]
    libraries = tuple(alias.name for node in imports for alias in node.names if alias.name in ("numpy", "pandas"))
    return SuiteRequest(name, source, name, seed, libraries)


def small_suites(programs: Mapping[str, str], machine: Machine, budget: int = SuiteConfig.budget) -> dict[str, Draft]:
    """What comes of each of the programs, by its name, with a hundred cases at most."""
    requests = [replace(request(text), id=name) for name, text in programs.items()]
    made = build_suites(requests, SuiteConfig(cases=100, budget=budget), machine)
    return dict(zip(programs, made, strict=True))


def searched(programs: Mapping[str, str], machine: Machine) -> dict[str, Draft]:
    """How far the search for branches comes with each of the programs, by its name: no suites are made of them."""
    requests = [replace(request(text), id=name) for name, text in programs.items()]
    return dict(zip(programs, build_suites(requests, SuiteConfig(), machine, Ablation()), strict=True))


def takes_all_branches(made: Draft) -> bool:
    """Whether all branches are taken, also where the function leaves for another reason."""
    if isinstance(made, Refused):
        return made.reached is not None and made.reached.coverage == 1.0
    return bool(made.cases) and made.taken == made.branches


def check_branches(made: Draft) -> None:
    """All branches are taken, and the function does not leave because it was thought that they are not."""
    assert takes_all_branches(made), made.evidence
    assert made.reason != "coverage_below_100", made.evidence


FORKS = """
import os, sys
import hypothesis.strategies, pytest
codes = []
for folder in sys.argv[1:]:
    child = os.fork()
    if not child:
        os.chdir(folder)
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", folder, folder]))
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
open("codes", "w").write(" ".join(map(str, codes)))
"""


def property_tests(place: Path, *folders: Path) -> list[int]:
    """How the property tests of some folders end, each in a process of its own."""
    subprocess.run([sys.executable, "-c", FORKS, *map(str, folders)], capture_output=True, cwd=place, check=True)
    return [int(code) for code in (place / "codes").read_text().split()]


COVERABLE = [
    '''
    import re

    def css_length(text: str):
        """A CSS length as a number of pixels, None for what is none."""
        match = re.fullmatch(r"(\\d+(?:\\.\\d+)?)(px|em|pt)", text.strip())
        if match is None:
            return None
        value, unit = float(match.group(1)), match.group(2)
        if unit == "em":
            return value * 16
        if unit == "pt":
            return value * 4 / 3
        return value
    ''',
    '''
    def settings(text):
        """Lines of `key = value` as a dictionary; comments and blank lines are skipped."""
        found = {}
        for line in text.splitlines():
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            key, separator, value = line.partition("=")
            if not separator:
                raise ValueError(f"no value in {line!r}")
            value = value.strip()
            if value.isdigit():
                found[key.strip()] = int(value)
            elif value in ("yes", "no"):
                found[key.strip()] = value == "yes"
            else:
                found[key.strip()] = value
        return found
    ''',
    '''
    from typing import Optional

    def shorten(text: str, width: Optional[int] = None, marker: str = "...") -> str:
        """The text, cut to a width."""
        if width is None:
            return text
        if width < len(marker):
            raise ValueError("too narrow")
        if len(text) <= width:
            return text
        return text[: width - len(marker)] + marker
    ''',
    '''
    def city_of(person: dict):
        """The city of a person's address, by default Nowhere."""
        address = person.get("address")
        if not address:
            return "Nowhere"
        if isinstance(address, str):
            return address.split(",")[-1].strip()
        if "city" in address and address["city"]["name"] == "Paris":
            return "PARIS"
        return address.get("town", "Somewhere")
    ''',
    '''
    import numpy as np

    def normalise(values: np.ndarray, scale: bool = True) -> np.ndarray:
        """Centre the values, and divide them by their spread."""
        if values.size == 0:
            return values
        if values.ndim > 1:
            raise ValueError("one axis only")
        centred = values - values.mean()
        spread = centred.std()
        if scale and spread > 0:
            return centred / spread
        return centred
    ''',
    '''
    import numpy as np

    def agreement(left: np.ndarray, right: np.ndarray) -> float:
        """Share of equal values of two arrays of the same shape."""
        if left.shape != right.shape:
            raise ValueError("shapes differ")
        if left.size == 0:
            return 1.0
        return float((left == right).sum() / left.size)
    ''',
    '''
    from datetime import date

    def quarter(day: date) -> str:
        """The quarter that a day lies in; leap days have their own name."""
        if day.month == 2 and day.day == 29:
            return "leap"
        if day.month <= 3:
            return "Q1"
        if day.month <= 6:
            return "Q2"
        return "Q3" if day.month <= 9 else "Q4"
    ''',
    '''
    from datetime import datetime

    def weekday_of(text):
        """The name of the weekday of a date such as 2024-05-31, or an empty text."""
        try:
            day = datetime.strptime(text, "%Y-%m-%d")
        except ValueError:
            return ""
        if day.weekday() >= 5:
            return "weekend"
        return day.strftime("%A")
    ''',
    '''
    def grade(points):
        """A grade for points between 0 and 100.

        Args:
            points (int): how many points

        Raises:
            ValueError: if the points are out of range
        """
        if points < 0 or points > 100:
            raise ValueError("out of range")
        if points >= 90:
            return "A"
        if points == 77:
            return "lucky"
        return "B" if points >= 50 else "C"
    ''',
    '''
    def flatten(items, depth=2):
        """All items of nested lists, in order."""
        made = []
        for item in items:
            if isinstance(item, (list, tuple)) and depth > 0:
                made.extend(flatten(item, depth - 1))
            elif item is None:
                continue
            else:
                made.append(item)
        return made
    ''',
    '''
    def collatz(n: int) -> int:
        """Steps of Collatz until 1."""
        if n < 1:
            raise ValueError("positive numbers only")
        steps = 0
        while n != 1:
            if n % 2:
                n = 3 * n + 1
            else:
                n //= 2
            steps += 1
        return steps
    ''',
    '''
    def parse_version(version: str) -> tuple:
        """A version as a tuple of numbers with its stage."""
        stage = "final"
        for name in ("rc", "beta", "alpha"):
            if name in version:
                version, _, _rest = version.partition(name)
                stage = name
                break
        parts = []
        for part in version.split("."):
            if not part.isdigit():
                break
            parts.append(int(part))
        return tuple(parts), stage
    ''',
    '''
    def balanced(text: str) -> bool:
        """Whether brackets are balanced."""
        stack = []
        pairs = {")": "(", "]": "["}
        for character in text:
            if character in "([":
                stack.append(character)
            elif character in pairs:
                if not stack or stack.pop() != pairs[character]:
                    return False
        return not stack
    ''',
    '''
    def binary_search(values: list[int], wanted: int) -> int:
        """The place of a value in a sorted list, -1 where it is not there."""
        low, high = 0, len(values) - 1
        while low <= high:
            middle = (low + high) // 2
            if values[middle] == wanted:
                return middle
            if values[middle] < wanted:
                low = middle + 1
            else:
                high = middle - 1
        return -1
    ''',
    '''
    import json

    def first_key(text: str):
        """The first key of a JSON object, its length for a JSON list, None for what is no JSON."""
        try:
            data = json.loads(text)
        except ValueError:
            return None
        if isinstance(data, list):
            return len(data)
        if isinstance(data, dict) and data:
            return next(iter(data))
        return ""
    ''',
    '''
    from urllib.parse import urlparse

    def host_of(url: str) -> str:
        """The host of an address of example.com or the word other; ports are dropped."""
        parsed = urlparse(url)
        if parsed.scheme not in ("http", "https"):
            return ""
        if parsed.netloc.endswith("example.com"):
            return "example"
        if parsed.port:
            return str(parsed.port)
        return "other"
    ''',
    '''
    def pick(mapping: dict, *names, default=None, strict: bool = False):
        """The first of the names that the mapping has."""
        for name in names:
            if name in mapping:
                return mapping[name]
        if strict:
            raise KeyError("none of them")
        return default
    ''',
    '''
    def histogram(words: list[str], **options) -> dict:
        """How often each word occurs; `lower` folds case, `least` drops rare ones."""
        counts = {}
        for word in words:
            if options.get("lower"):
                word = word.lower()
            counts[word] = counts.get(word, 0) + 1
        least = options.get("least", 0)
        if least:
            counts = {word: count for word, count in counts.items() if count >= least}
        return counts
    ''',
    '''
    def describe(value):
        """The kind of a value in words."""
        if value is None:
            return "nothing"
        if isinstance(value, bool):
            return "truth"
        if isinstance(value, (int, float)):
            return "number"
        if isinstance(value, str):
            return "text" if value else "empty text"
        if isinstance(value, dict):
            return f"{len(value)} entries"
        if isinstance(value, (list, tuple, set)):
            return f"{len(value)} items"
        raise TypeError("unknown kind")
    ''',
    '''
    def rotate(matrix: list[list[int]], times: int = 1) -> list[list[int]]:
        """The matrix turned to the right some times."""
        if not matrix or not matrix[0]:
            return []
        for row in matrix:
            if len(row) != len(matrix[0]):
                raise ValueError("rows differ")
        for _ in range(times % 4):
            matrix = [list(row) for row in zip(*matrix[::-1])]
        return matrix
    ''',
    '''
    def mode_of(numbers, method="first"):
        """The commonest number, by a method.

        Parameters
        ----------
        numbers : list of int
            The numbers.
        method : {'first', 'last', 'least'}
            Which one wins where several are as common.
        """
        if not numbers:
            return None
        counts = {}
        for number in numbers:
            counts[number] = counts.get(number, 0) + 1
        best = max(counts.values())
        tied = [number for number, count in counts.items() if count == best]
        if method == "first":
            return tied[0]
        if method == "last":
            return tied[-1]
        return min(tied)
    ''',
    '''
    def merge(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Overlapping spans made one; ends before starts are refused."""
        made = []
        for low, high in sorted(spans):
            if high < low:
                raise ValueError("ends before it starts")
            if made and low <= made[-1][1]:
                made[-1] = (made[-1][0], max(high, made[-1][1]))
            else:
                made.append((low, high))
        return made
    ''',
    '''
    from decimal import Decimal

    def money(amount: Decimal, currency: str = "EUR") -> str:
        """An amount with its currency's sign."""
        signs = {"EUR": "€", "USD": "$"}
        if currency not in signs:
            raise KeyError(currency)
        if amount < 0:
            return "-" + money(-amount, currency)
        if amount == amount.to_integral_value():
            return f"{signs[currency]}{int(amount)}"
        return f"{signs[currency]}{amount:.2f}"
    ''',
    '''
    import pandas as pd

    def summary(frame: pd.DataFrame) -> dict:
        """Mean price and number of rows by whether there is stock."""
        if frame.empty:
            return {}
        made = {"rows": len(frame)}
        if (frame["price"] > 5).any():
            made["dear"] = int((frame["price"] > 5).sum())
        if "stock" in frame.columns:
            made["stock"] = float(frame["stock"].sum())
        return made
    ''',
    '''
    def checksum(data: bytes) -> int:
        """A sum over bytes that starts anew at each zero; JFIF counts as 1000."""
        if data[6:10] == b"JFIF":
            return 1000
        total = 0
        for byte in data:
            if byte == 0:
                total = 0
            else:
                total = (total * 31 + byte) % 65521
        return total
    ''',
    '''
    def free_name(name: str, taken: list[str]) -> str:
        """The name itself, or with a number that is not taken."""
        candidate = name + "_copy"
        if candidate not in taken:
            return candidate
        number = 2
        while f"{candidate}{number}" in taken:
            number += 1
        return f"{candidate}{number}"
    ''',
    '''
    def padded(rows: list[list[int]], width: int) -> list[list[int]]:
        """The rows, those that are shorter than the width filled up with zeros; longer ones are refused."""
        made = []
        for row in rows:
            if width < len(row):
                raise ValueError("too long")
            made.append(row + [0] * (width - len(row)))
        return made
    ''',
    '''
    from typing import Callable

    def grouped(words: list[str], key: Callable[[str], str]) -> dict:
        """The words by what a function makes of them; words of one letter are left out."""
        found = {}
        for word in words:
            if len(word) > 1:
                found.setdefault(key(word), []).append(word)
        return found
    ''',
]

REFUSED = {
    "weak_suite": '''
    import hashlib

    def masked(text: str, secret: bool = False) -> str:
        """The text, or stars for one that is secret or has the right hash."""
        sign = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        if secret or sign.startswith("000000000000") or sign.endswith("000000000000"):
            return "*" * len(text)
        return text.upper()
    ''',
    "no_parameters": '''
    def fixed():
        """Always the same."""
        return 1
    ''',
    "unreachable_branch": '''
    def dead(n: int) -> int:
        """One more, or two more."""
        if n > 3:
            return n + 1
        elif n > 3:
            return n + 7
        return n + 2
    ''',
    "coverage_below_100": '''
    import hashlib

    def secret(text: str) -> int:
        """The length of a text, unless its hash is right."""
        if hashlib.sha256(text.encode("utf-8", "replace")).hexdigest().startswith("000000000000"):
            return -1
        return len(text)
    ''',
    "crashed-hang": '''
    import time

    def sleeper(n: int) -> int:
        """Sleeps until it is stopped."""
        while True:
            time.sleep(0.01)
        return n
    ''',
    "crashed-endless": '''
    def endless(n: int) -> int:
        """Never comes back, whatever is raised."""
        total = 0
        while True:
            try:
                total += n
            except BaseException:
                pass
        return total
    ''',
    "crashed-exit": '''
    import os

    def leaves(n: int) -> int:
        """Ends the process."""
        if n > 0:
            os._exit(3)
        return n
    ''',
    "crashed-signal": '''
    import os
    import signal

    def kills_its_parent(n: int) -> int:
        """Ends the process that it was forked from, and itself."""
        os.kill(os.getppid(), signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)
        return n
    ''',
    "crashed-memory": '''
    def greedy(n: int) -> int:
        """Takes all the memory that there is."""
        held = []
        while n is not None:
            held.append(bytearray(512 * 1024 * 1024))
        return len(held)
    ''',
    "crashed-load": '''
    import a_module_that_is_nowhere

    def unloadable(n: int) -> int:
        """Needs a module that is not there."""
        return n if n > 0 else -n
    ''',
    "few_cases": '''
    def both(first: bool, second: bool) -> str:
        """What two truths have in common."""
        if first and second:
            return "both"
        if first or second:
            return "one"
        return "none"
    ''',
    "degenerate": '''
    def constant(text: str) -> int:
        """Always the same, for all but one text."""
        if text == "magic":
            return 1
        return 0
    ''',
    "ill_conditioned": '''
    def chaotic(x: float) -> float:
        """Where the logistic map leads to in a hundred steps."""
        value = abs(x) % 1.0 * 0.9 + 0.05
        for _ in range(100):
            value = 3.99 * value * (1.0 - value)
        return value
    ''',
    "mostly_errors": '''
    def picky(code: str) -> int:
        """The number of one of three codes."""
        if code in ("north", "south", "east"):
            return len(code)
        raise ValueError("no such code")
    ''',
    "not_encodable": '''
    def adder(n: int):
        """A function that adds."""
        if n > 5:
            return lambda m: m - n
        return lambda m: m + n
    ''',
    "not_encodable-parameter": '''
    from typing import Iterator

    def first(items: Iterator[int], n: int) -> int:
        """What the iterator gives next."""
        return next(items) if n else 0
    ''',
}

NONDETERMINISTIC = {
    "identity": '''
    def identity(text: str):
        """Something that differs from process to process."""
        if not text:
            return 0
        return id(object) + len(text)
    ''',
    "hash": '''
    def bucket(text: str):
        """A bucket by the built-in hash of texts."""
        if text == "a":
            return -1
        return hash(text) % 1000003
    ''',
    "memory of earlier calls": '''
    def remembers(text: str, seen: list = []):
        """How many texts were there before."""
        seen.append(text)
        if len(text) > 3:
            return len(seen)
        return -len(seen)
    ''',
    "time zone": '''
    from datetime import datetime

    def local_hour(seconds: int):
        """The hour of a moment, in local time."""
        if seconds < 0:
            return -1
        return datetime.fromtimestamp(abs(seconds) % 10**9).hour
    ''',
    "working directory": '''
    import os

    def absolute(name: str):
        """An absolute path."""
        if "/" in name:
            return ""
        return os.path.abspath("x" + str(len(name)))
    ''',
}
