"""Rules on how much is said, and how vaguely."""

from __future__ import annotations

import ast
import re

from pipeline.instruct.told import View
from pipeline.languages.python.description import words

MIN_AUTHOR_WORDS = 7
MAX_ARITHMETIC = 5
_VAGUE = re.compile(
    r"(?i)\b(heuristic\w*|best[- ]effort|guess\w*|etc|and so on|appropriate(?:ly)?|reasonabl\w*|sensibl\w*|various|"
    r"some kind|as needed|if possible|where possible|when possible|smart(?:ly)?|intelligent\w*|suitable|suitably|"
    r"certain|prett(?:y|ier|ify)|nice(?:ly|r)?|roughly|approximat\w*|"
    r"common(?:ly)? (?:patterns?|cases?|forms?)|"
    r"special (?:cases?|characters?|handling)|and more|among others|"
    r"human[- ](?:readable|friendly)|user[- ]friendly|clean(?:ed|s|ing)?(?: up)?|sanitiz\w*|tidy|messy|"
    r"problematic|unsafe|invalid characters)\b")


def is_long_enough(view: View) -> str:
    """Words for each branch and each statement; notes on special cases count, on top of a sentence of the author's."""
    facts, measures = view.facts, view.suite.candidate.measures
    complexity = measures.complexity if measures else 1
    author = len(words(view.author))
    count = author + sum(len(words(note)) for note in view.draft.behaviour)
    asked = max(4 + 2 * complexity, round(0.7 * facts.statements))
    if author < MIN_AUTHOR_WORDS or count < asked:
        return f"{author} words of the author's and {count} in all for a complexity of {complexity} and " \
            f"{facts.statements} statements; {MIN_AUTHOR_WORDS} and {asked} are asked."
    return ""


def is_definite(view: View) -> str:
    """No more than one vague expression; in a long body none, unless notes say what the words leave open."""
    found = list(dict.fromkeys(match.group(0).lower() for match in _VAGUE.finditer(view.author)))
    allowed = 0 if len(view.facts.nodes) > 60 and not view.draft.behaviour else 1
    return f"It is vague: {', '.join(found)}." if len(found) > allowed else ""


def errors_are_caught_narrowly(view: View) -> str:
    """No handler for whatever may go wrong around several statements: which errors are meant is anybody's guess."""
    for node in view.facts.nodes:
        if isinstance(node, ast.Try):
            broad = any(
                handler.type is None or ast.unparse(handler.type) in ("Exception", "BaseException")
                for handler in node.handlers)
            inside = sum(isinstance(child, ast.stmt) for statement in node.body for child in ast.walk(statement))
            if broad and inside > 1:
                return "Any exception is caught around several statements."
    return ""


def arithmetic_is_bounded(view: View) -> str:
    """A formula of many operations is written out in the text; joined texts and bounds of slices are no formulas."""
    kinds = (ast.Mult, ast.Div, ast.Pow, ast.Sub, ast.Add, ast.MatMult)
    places = {id(part) for node in view.facts.nodes if isinstance(node, ast.Slice) for part in ast.walk(node)}
    texts = (ast.JoinedStr, ast.List)
    arithmetic = sum(
        isinstance(node, (ast.BinOp, ast.AugAssign)) and isinstance(node.op, kinds) and id(node) not in places
        and not any(isinstance(part, texts) or isinstance(getattr(part, "value", None), str) for part in ast.walk(node))
        for node in view.facts.nodes)
    formula = re.search(r"[=*/^+]|\\frac|\bformula\b", view.author)
    if formula or arithmetic <= MAX_ARITHMETIC:
        return ""
    return f"{arithmetic} arithmetic operations, and no formula is given."


def size_is_bounded(view: View) -> str:
    """So many statements can't be told in prose."""
    count = view.facts.statements
    return f"{count} statements are more than prose can tell." if count > 28 else ""
