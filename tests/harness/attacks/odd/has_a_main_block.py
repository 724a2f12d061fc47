"""Has a main block, a shebang-like comment and tests of its own at the end."""
from __future__ import annotations

import sys


def runs(text: str) -> list[tuple[str, int]]:
    found: list[tuple[str, int]] = []
    for character in text:
        last, count = found[-1] if found else ("", 0)
        if last == character:
            found[-1] = (last, count + 1)
        else:
            found.append((character, 1))
    return found


assert runs("aab") == [("a", 2), ("b", 1)]

if __name__ == "__main__":
    print(runs(input()))
    sys.exit(1)
