"""Leak check: how much of the body stands in an instruction, as the longest run of equal code tokens."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from pipeline.config import InstructConfig
from pipeline.instruct.drafts import View
from pipeline.instruct.source import code_without_texts
from pipeline.languages.python.facts import Facts

_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\w\s]")
_CODE_SIGNS = frozenset("()[]{}=:.<>+*/%")


def body_is_not_copied(view: View) -> str:
    """Prose and notes share no long run of code with the body."""
    overlap = too_much_overlap(view.facts, "\n".join((view.draft.prose, *view.draft.notes)), view.config)
    return f"The text and the body share: {overlap}"[:300] if overlap else ""


def too_much_overlap(facts: Facts, text: str, config: InstructConfig) -> str:
    """The longest run of tokens that the body and a text share, "" where it is as short as is allowed."""
    overlap = longest_overlap(facts, text)
    return overlap if len(overlap.split(" ")) > config.max_overlap_tokens else ""


def longest_overlap(facts: Facts, text: str) -> str:
    """The longest run of tokens that the body and a text share, "" where they share none with code in it.

    Texts inside the body (messages, keys) are no code and don't count.
    """
    body, said = _TOKEN.findall(code_without_texts(facts)), _TOKEN.findall(text)
    found = SequenceMatcher(None, body, said, autojunk=False).find_longest_match()
    run = body[found.a:found.a + found.size]
    return " ".join(run) if _CODE_SIGNS & set(run) else ""
