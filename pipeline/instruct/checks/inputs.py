"""Rules on the types of inputs: they are those that annotations and the docstring declare."""

from __future__ import annotations

import re

from pipeline.instruct.drafts import View
from pipeline.instruct.examples.cases import arguments, type_name
from pipeline.languages.python.facts import Parameter

MAX_STRANGE = 0.05
MAX_KINDS = 2
_ANYTHING = re.compile(
    r"\b(any|object|value|values|element|elements|item|items|hashable|T|comparable|arbitrary|nested|json|data|TypeVar)\b",
    re.IGNORECASE)
_TYPES: tuple[tuple[str, frozenset[str]], ...] = tuple((pattern, frozenset(names.split())) for pattern, names in (
    (r"\b(str|string|text|char|character)s?\b", "str"),
    (r"\b(int|integer)s?\b", "int bool"),
    (r"\b(float|number|numeric|real|scalar|double)s?\b", "int float bool float64"),
    (r"\b(complex)\b", "complex int float"),
    (r"\b(bool|boolean|flag)\b", "bool"),
    (r"\b(list|array_like|array-like)s?\b", "list"),
    (r"\b(tuple|pair)s?\b", "tuple list"),
    (r"\b(dict|dictionary|mapping|defaultdict|OrderedDict|Counter)\b", "dict OrderedDict defaultdict Counter"),
    (r"\b(set|frozenset)s?\b", "set frozenset"),
    (r"\b(sequence|iterable|collection|container)s?\b", "list tuple set frozenset str range deque dict"),
    (r"\b(bytes|bytearray|buffer)\b", "bytes bytearray"),
    (r"\b(ndarray|array|matrix|vector|array_like)s?\b", "ndarray list tuple"),
    (r"\b(Series)\b", "Series"), (r"\b(DataFrame)\b", "DataFrame"),
    (r"\b(datetime)\b", "datetime"), (r"\b(date)\b", "date datetime"), (r"\b(timedelta)\b", "timedelta"),
    (r"\b(Decimal)\b", "Decimal"), (r"\b(Fraction)\b", "Fraction"), (r"\b(Path|PurePath)\b", "PosixPath PurePosixPath"),
    *((rf"(?-i:\b{name}\b)", name) for name in (
        "UUID", "PurePosixPath", "PureWindowsPath", "ZoneInfo", "timezone",
        *(f"IPv{version}{kind}" for version in (4, 6) for kind in ("Address", "Network", "Interface")))),
    (r"(?-i:\bPattern\b)", "Pattern"), (r"(?-i:\bPathLike\b)", "PosixPath"), (r"(?-i:\btzinfo\b)", "timezone ZoneInfo"),
    (r"(?-i:^(slice|range)( \| None)?$)", "slice range"), (r"(?-i:\b(deque|Deque)\b)", "deque"),
))


def inputs_have_the_types(view: View) -> str:
    """Hardly any case passes a value of another type than the annotation or the documentation says."""
    for position, parameter in enumerate(_plain(view)):
        allowed = documented_types(view, parameter)
        names = [type_name(value) for value in arguments(view.suite, position, parameter.name)]
        strange = [name for name in names if allowed and name not in allowed and name != "None"]
        if len(strange) > MAX_STRANGE * len(names):
            counts = f"{len(strange)} of {len(names)} cases"
            return f"{counts} pass {strange[0]} for {parameter.name}, which is documented otherwise."
    return ""


def inputs_have_a_clear_type(view: View) -> str:
    """Where nothing says what a parameter is, the cases pass one or two kinds of values."""
    for position, parameter in enumerate(_plain(view)):
        if documented_types(view, parameter) or _ANYTHING.search(_said_of(view, parameter)):
            continue
        kinds = {type_name(value) for value in arguments(view.suite, position, parameter.name)} - {"None", "bool"}
        if len(kinds) > MAX_KINDS:
            return f"Nothing says what {parameter.name} is, and the cases pass {', '.join(sorted(kinds))}."
    return ""


def documented_types(view: View, parameter: Parameter) -> frozenset[str]:
    """The types that a parameter may have by its annotation or its description, none where both are open."""
    described = view.facts.description.parameters.get(parameter.name, ("", "")) if view.facts.description else ("", "")
    said = parameter.annotation or described[0] or _said_in_prose(view, parameter.name)
    if not said or re.search(r"\b(Any|object|any|T|_T)\b", said):
        return frozenset()
    head = re.sub(r"\[[^\[\]]*\]|\bof\b.*", "", re.sub(r"\[[^\[\]]*\]", "", _without_optional(said)))
    return frozenset().union(*(names for pattern, names in _TYPES if re.search(pattern, head, re.IGNORECASE)))


def _said_in_prose(view: View, name: str) -> str:
    """`list x`, `x is a list`, `the string *x*`: what the prose calls a parameter."""
    marked = rf"[`*'\"]{{0,2}}{re.escape(name)}[`*'\"]{{0,2}}"
    before = rf"\b([a-z]+)s?\s+{marked}(?!\w)"
    after = rf"(?<!\w){marked}\s+(?:is|are|must be|should be)\s+(?:an?\s+)?(.*)"
    found = re.search(rf"(?i){before}|{after}", view.author)
    return next((group for group in found.groups() if group), "") if found else ""


def _without_optional(text: str) -> str:
    found = re.fullmatch(r"(?:typing\.)?(?:Optional|Union|Annotated)\[(.*)\]", text)
    return found.group(1) if found else text


def _said_of(view: View, parameter: Parameter) -> str:
    described = view.facts.description.parameters.get(parameter.name, ("", "")) if view.facts.description else ("", "")
    return " ".join((parameter.annotation, *described))


def _plain(view: View) -> list[Parameter]:
    return [parameter for parameter in view.facts.parameters if not parameter.kind.startswith("all ")]
