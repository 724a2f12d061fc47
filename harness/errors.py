"""Errors that are told to people: one sentence, with the cure."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(Exception):
    """Something the user can mend; the command line prints the message alone and exits with 2."""


class SandboxFailed(Exception):
    """The sandbox itself failed: ours, never the candidate's, so nothing is scored."""


def guess(wanted: str, known: Iterable[str]) -> str:
    """The known name that is most like an unknown one, as a question to stand behind it; "" where none is."""
    near = get_close_matches(wanted, sorted(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""
