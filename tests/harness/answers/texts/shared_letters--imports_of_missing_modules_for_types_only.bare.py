from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections_extended import setlist
    from mypackage.types import Words


def shared_letters(words: Words) -> set[str] | setlist:
    letters = [{c for c in w.lower() if c.isalpha()} for w in words]
    return set.intersection(*letters) if letters else set()
