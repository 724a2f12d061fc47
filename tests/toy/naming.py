"""The toy's names: its rules as data, and a reader that needs one page."""

from __future__ import annotations

from pipeline.languages.scoping import ROOT, Binder, Declared, Import, Reading, Resume, ScopeRules, ScopeSink, Unit, Use
from tests.toy.syntax import KEYWORDS, words

BUILTINS = frozenset("add sub mul div less same loop print now".split())
RULES = ScopeRules(root="file", builtins=BUILTINS, ordered={"block": Resume.OUTWARDS})


class ToyNaming:
    """How the toy looks names up, and what a file defines and uses."""

    def __init__(self, rules: ScopeRules = RULES) -> None:
        self.rules = rules

    def read(self, data: bytes, sink: ScopeSink) -> Reading:
        """Report everything in a file; a function's parameters are defined in a scope of their own around its block."""
        stack, units, open_units = [ROOT], [], []
        waiting: Unit | None = None
        imports = []
        for word in words(data.decode("utf-8")):
            text, position, here = word.text, word.position, stack[-1]
            if text == "{":
                stack.append(sink.scope("block", here))
                if waiting is not None:
                    open_units.append((waiting, len(stack)))
                    waiting = None
            elif text == "}":
                if open_units and open_units[-1][1] == len(stack):
                    unit = open_units.pop()[0]
                    stack.pop()
                    scopes, references, _ = sink.counts()
                    unit.scopes = range(unit.scopes.start, scopes)
                    unit.references = range(unit.references.start, references)
                if len(stack) > 1:
                    stack.pop()
            elif text.startswith("@"):
                outer = ".".join((*(one.name for one, _ in open_units), text[1:]))
                definition = sink.define(here, Binder(text[1:], "function", position))
                kind = "nested" if open_units else "function"
                waiting = Unit(text[1:], outer, kind, word.line, definition)
                scopes, references, _ = sink.counts()
                waiting.scopes, waiting.references = range(scopes, scopes), range(references, references)
                waiting.scope = sink.scope("function", here)
                stack.append(waiting.scope)
                units.append(waiting)
            elif text.endswith("="):
                sink.define(here, Binder(text[:-1], "variable", position))
            elif text.startswith("^"):
                sink.declare(here, text[1:], Declared.ROOT)
            elif text.startswith("*"):
                sink.wildcard(here, text[1:])
            elif text.startswith("&"):
                module = text[1:].rpartition(".")[0]
                imports.append(text)
                binder = Binder(text.rpartition(".")[2], "import", position, imported=Import(text[1:], module, text))
                sink.define(here, binder)
            elif not word.is_number and text not in KEYWORDS:
                sink.refer(here, Use(text, position, (), arguments=2))
        return Reading(units, ())
