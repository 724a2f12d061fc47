"""Rules on what has to be told: constants, operations, types, exceptions, parameters, branches."""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from functools import cached_property

from harness.values import canonical
from pipeline.config import InstructConfig
from pipeline.instruct import Draft
from pipeline.instruct.constants import Texts, untold_constants
from pipeline.instruct.decisions import Decision, untold
from pipeline.instruct.examples import branches_of, is_bare, is_passed_on
from pipeline.instruct.notes import changed_positions
from pipeline.instruct.vocabulary import tells, untold_operations
from pipeline.languages.python.description import words
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

MAX_PLAIN_COMPLEXITY = 3
MIN_NAME = 4
MIN_ONE_LINE_COMPLEXITY = 3


@dataclass(frozen=True)
class View:
    """What the rules look at: the function, its suite, and the instruction that would be given."""

    facts: Facts
    suite: Suite
    draft: Draft
    config: InstructConfig

    @cached_property
    def texts(self) -> Texts:
        """What the author and the notes on behaviour say, and what the examples show."""
        behaviour = "\n".join(self.draft.behaviour)
        return Texts(f"{self.author}\n{self.draft.signature}\n{behaviour}", self.shown)

    @cached_property
    def author(self) -> str:
        """What the author wrote, without examples."""
        return self.facts.description.spoken if self.facts.description else ""

    @cached_property
    def said(self) -> str:
        """All that is said in words: the author's text, the notes, the names of the signature."""
        return "\n".join((self.author, *self.draft.notes, self.draft.signature, self.draft.signature.replace("_", " ")))

    @cached_property
    def lower(self) -> str:
        """`said` in lower case."""
        return self.said.lower()

    @cached_property
    def intent(self) -> str:
        """What the author says of the behaviour: the text and the names, without types; in lower case."""
        names = " ".join([self.facts.function.name, *(parameter.name for parameter in self.facts.parameters)])
        return f"{self.author}\n{names.replace('_', ' ')}".lower()

    @cached_property
    def shown(self) -> str:
        """All examples: the author's and the chosen ones."""
        author = self.draft.author.splitlines()
        spoken = set(self.author.splitlines())
        return "\n".join([line for line in author if line not in spoken] + [self.draft.shown])


def constants_are_told(view: View) -> str:
    """Every text and number that can influence the answer stands in the text or is visible in the examples."""
    listed = untold_constants(view.facts, view.texts)
    return f"Nothing tells of {', '.join(repr(constant.value) for constant in listed[:8])}." if listed else ""


def operations_are_told(view: View) -> str:
    """What the body does to values (sorting, stripping, rounding, ...) is said in some word."""
    missing = untold_named_operations(view)
    return f"Nothing says that it {', '.join(missing)}." if missing else ""


def decisions_are_told(view: View) -> str:
    """Each condition of the body is told by a note, or by a word on what it asks."""
    found = untold_decisions(view)
    listed = dict.fromkeys(f"{decision.source} ({decision.kind})" for decision in found)
    return f"Nothing tells of {'; '.join(listed)}." if found else ""


def untold_named_operations(view: View) -> list[str]:
    """The names of the operations that neither the author nor a note tells."""
    untold_ = untold_operations(view.facts, view.intent, view.draft.told)
    return [name for name in untold_ if name not in view.draft.told]


def untold_decisions(view: View) -> list[Decision]:
    """The conditions that neither the author, nor what is said of exceptions, nor a note tells."""
    raising = " ".join(note for note in view.draft.behaviour if note.startswith("Raises "))
    return untold(view.facts, f"{view.author}\n{raising}".lower(), view.draft.told)


def one_line_tells_no_branches(view: View) -> str:
    """A single sentence, with no note on the behaviour, tells of one branch at most, but for a plain yes or no."""
    parts = re.split(r"(?<=[.!?:;])\s+|\n\s*\n|\n\s*[-*:]", view.author.strip())
    sentences = [part for part in parts if len(words(part)) > 2]
    measures = view.suite.candidate.measures
    complexity = measures.complexity if measures else 2
    answers = {canonical(case.expected.value) for case in view.suite.cases if case.expected.kind == "returned"}
    plain = answers <= {"true", "false"} and complexity <= MAX_PLAIN_COMPLEXITY
    if len(sentences) > 1 or view.draft.behaviour or complexity < MIN_ONE_LINE_COMPLEXITY or plain:
        return ""
    return f"One sentence and no note for a complexity of {complexity}."


def options_are_told(view: View) -> str:
    """Options of library calls that change the answer are said by their name."""
    missing = []
    for node in view.facts.nodes:
        if isinstance(node, ast.Call):
            for keyword in node.keywords:
                if keyword.arg and _is_switch(keyword.value) and not _option_told(keyword, view):
                    missing.append(f"{keyword.arg}={ast.unparse(keyword.value)}")
    return f"Nothing tells of the options {', '.join(dict.fromkeys(missing))}." if missing else ""


def _is_switch(value: ast.expr) -> bool:
    """Whether an option is a constant that is no text; texts are constants, and told as such."""
    return isinstance(value, ast.Constant) and not isinstance(value.value, (str, bytes))


_OPTION_WORDS = {
    "reverse": "revers descend larg high most top last long new great decreas", "key": "", "start": "", "default": "",
    "end": "", "maxsplit": "first once split last", "strict": "", "axis": "", "keepends": "", "dtype": "",
    "indent": "indent pretty", "sep": "", "initial": "", "ndigits": "", "encoding": "", "errors": "ignor replac",
    "keepdims": "", "copy": "", "fillvalue": "", "count": "first once", "flags": "", "inplace": "",
    "ensure_ascii": "ascii unicode", "sort_keys": "sort", "signed": "", "byteorder": "endian byte", "drop": "",
    "ignore_index": "", "index": "",
}


def _option_told(keyword: ast.keyword, view: View) -> bool:
    beginnings = _OPTION_WORDS.get(keyword.arg or "", (keyword.arg or "").split("_")[0])
    return not beginnings or tells(view.lower, beginnings)


def parameters_are_explained(view: View) -> str:
    """Each parameter is spoken of, by its name or its words; only the first, if alone, needs no name.

    Nor does one whose type is declared and whose name is a word: the examples show what it is for.
    """
    told = set(words(re.sub("[_-]", " ", view.author)))
    guarded = " ".join(note for note in view.draft.behaviour if not note.startswith("Raises "))
    missing = [
        parameter.name for parameter in view.facts.parameters
        if not (parameter.annotation and len(parameter.name) >= MIN_NAME)
        and f"`{parameter.name}`" not in guarded and not _named_in_words(parameter.name, told)
        and not re.search(rf"(?<!\w){re.escape(parameter.name)}(?!\w)", view.author)
    ]
    first = view.facts.parameters[0] if view.facts.parameters else None
    alone = first is not None and missing == [first.name]
    lonely = alone and (len(view.facts.parameters) == 1 or first is None or bool(first.annotation))
    return "" if lonely or not missing else f"The author says nothing of {', '.join(missing)}."


def _named_in_words(name: str, told: set[str]) -> bool:
    parts = [part for part in name.lower().split("_") if len(part) > 2]
    stems = {word.rstrip("s") for word in told}
    return bool(parts) and all(any(stem.startswith(part.rstrip("s")[:5]) for stem in stems) for part in parts)


def exceptions_are_explained(view: View) -> str:
    """Each `raise` has a message that is given, or the author says when it happens; all that cases raise are named."""
    notes = " ".join(view.draft.notes)
    steps = set(re.findall(r"[Rr]aise (?:[a-z]\w*\.)*([A-Z]\w*)", "\n".join(view.draft.outline)))
    for node in view.facts.nodes if not view.draft.outline else ():
        if isinstance(node, ast.Raise) and node.exc is not None:
            kind = ast.unparse(node.exc.func if isinstance(node.exc, ast.Call) else node.exc).rsplit(".", 1)[-1]
            if f"{kind}: " not in notes and f"{kind} is raised" not in notes and kind not in view.author:
                return f"Nothing says when {kind} is raised."
    kinds = {case.expected.exception.rsplit(".", 1)[-1] for case in view.suite.cases if case.expected.kind == "raised"}
    by_itself = "" if view.draft.outline else ":"
    missing = sorted(kind for kind in kinds if kind not in view.author and kind not in steps
                     and f"Raises {kind}{by_itself}" not in notes and f"{kind} is raised" not in notes)
    return f"Cases raise {', '.join(missing)}, of which the author says nothing." if missing else ""


def changes_are_told(view: View) -> str:
    """What is changed in place is said by the author."""
    changed = changed_positions(view.suite)
    told = tells(view.author.lower(), "in-place inplace modif mutat updat remov insert append add sort pop "
                 "extend normalize fill set")
    shown = "# afterwards" in view.draft.shown
    return "Arguments are changed in place, which the author does not say." if changed and not told | shown else ""


def branches_are_shown(view: View) -> str:
    """The examples take most of the branches that the cases take."""
    everything = {branch for index in range(len(view.suite.cases)) for branch in branches_of(view.suite, index)}
    shown = {branch for index in view.draft.examples for branch in branches_of(view.suite, index)}
    missing, count = len(everything - shown), len(everything)
    return f"The examples leave {missing} of {count} branches and statements out." if missing > 0.15 * count else ""


def answers_are_shown(view: View) -> str:
    """There are examples, and each kind of answer that a twentieth of the cases give is among them."""
    if not view.draft.examples:
        return "No case is short and plain enough to be shown."
    kinds = [_kind(view, index) for index in range(len(view.suite.cases))]
    frequent = {kind for kind in kinds if kinds.count(kind) >= 0.05 * len(kinds)}
    missing = sorted(frequent - {kinds[index] for index in view.draft.examples})
    if missing:
        return f"No example shows an answer of the kind {missing[0]}."
    shown = [view.suite.cases[index] for index in view.draft.examples]
    plain = [case for case in shown if case.expected.kind == "raised" or not (
        is_bare(case.expected.value) or is_passed_on(case))]
    same = len({canonical([case.expected.kind, case.expected.value]) for case in shown}) < min(2, len(shown))
    return "" if plain and not same else "The examples show nothing but one answer, or special values."


def _kind(view: View, index: int) -> str:
    expected = view.suite.cases[index].expected
    if expected.kind == "raised":
        return f"exception {expected.exception}"
    return "None" if expected.value is None else "value"


def documented_parameters_exist(view: View) -> str:
    """The author does not describe parameters that the function does not have."""
    known = {parameter.name for parameter in view.facts.parameters}
    described = view.facts.description.parameters if view.facts.description else {}
    strange = sorted(set(described) - known)
    flexible = any(parameter.kind == "all keyword" for parameter in view.facts.parameters)
    return f"The author describes {', '.join(strange)}, which the signature lacks." if strange and not flexible else ""


def examples_stand_alone(view: View) -> str:
    """The author's examples import nothing but the function itself and allowed libraries."""
    name = view.facts.function.name
    allowed = {library.split(".")[0] for library in view.suite.candidate.libraries} | set(sys.stdlib_module_names)
    for source in view.facts.description.examples if view.facts.description else ():
        for node in _statements(source):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and [alias.name for alias in node.names] != [name]:
                modules = [node.module or ""]
            strange = [module for module in modules if module.split(".")[0] not in allowed | {"numpy", "pandas"}]
            if strange:
                return f"An example of the author's imports {strange[0]}."
    return ""


def _statements(source: str) -> list[ast.stmt]:
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []
