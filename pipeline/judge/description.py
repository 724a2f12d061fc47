"""Rules on whether a description says enough, and whether it can be understood outside its project."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pipeline.config import JudgeConfig
from pipeline.languages.facts import FunctionFacts
from pipeline.languages.prose import words
from pipeline.records import Candidate

MIN_NEW_WORDS = 3
MIN_NAME_WORDS = 2
MIN_PROSE = 5
"""Words that make a text in the body a sentence of its project's."""
_FILLER = frozenset("""a an the of to for in on at by with from and or is are be as it its this that given return
    returns get gets compute computes function method helper utility value values whether if into""".split())
_PROVISIONAL = re.compile(r"\b(TODO|FIXME|XXX|TBD|HACK)\b")
_CODE_NAME = re.compile(r"(?<![\w.'\"/-])(?:[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z]+(?:_[A-Za-z0-9]+)+|_[a-z]\w+)"
                        r"(?![\w'\"/-])")


_TUPLE = re.compile(r"[(\[]([A-Za-z_]\w*(?:,\s*[\w.]+)+)[)\]]")
_EXPLAINED = re.compile(r"(?m)^[ \t]*[-*]?[ \t]*`{0,2}([a-z]\w*)`{0,2}[ \t]*(?:\([^)\n]*\)[ \t]*)?:[ \t]+\S")
_QUOTED = re.compile(r"`{1,2}([^`\n]+)`{1,2}")
_EXAMPLES = frozenset("file path example foo bar a x".split())
_ENDINGS = frozenset(
    "py md txt json toml yaml yml cfg ini html css js ts csv tsv xml rst ipynb gz zip tar png jpg".split())


def is_missing(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """No docstring, or one without prose, where nothing else may do."""
    del candidate
    present = facts.description is not None and words(facts.description.prose)
    unclear = "" if present else _leaves_open(facts, config)
    return f"There is no docstring with a sentence in it, and {unclear}." if unclear else ""


def is_short(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Fewer words, without the examples, than the configuration asks."""
    del candidate
    if not _leaves_open(facts, config):
        return ""
    count = len(words(_spoken(facts)))
    return f"{count} words, and {config.min_description_words} are asked." if (
        count < config.min_description_words) else ""


def restates_the_name(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """The text adds hardly a word to the names of the function and its parameters."""
    if not _leaves_open(facts, config):
        return ""
    names = [candidate.function.name, *(parameter.name for parameter in facts.parameters)]
    known = {_stem(word) for name in names for word in re.split(r"[_\W]+", name.lower())} | _FILLER
    new = {_stem(word) for word in words(_spoken(facts))} - known
    return f"Only {len(new)} words are not in the names." if len(new - _FILLER) < MIN_NEW_WORDS else ""


def is_not_english(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Letters outside Latin, or no everyday English word in a long text."""
    del candidate, config
    text = _spoken(facts)
    letters = [c for c in text if c.isalpha()]
    foreign = sum(ord(c) > 0x24F for c in letters)
    if letters and foreign > 0.1 * len(letters):
        return f"{foreign} of {len(letters)} letters are not Latin."
    said = words(facts.description.prose if facts.description is not None else "")
    return "No everyday English word in it." if len(said) >= 8 and not _EVERYDAY & set(said) else ""


def refers_elsewhere(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """It leans on text or code that the reader does not have, in more than an aside."""
    del candidate, config
    return facts.leaning


def names_the_project(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """The name of the project, or of its package, stands in the description."""
    del config
    where = candidate.function.provenance
    parts = {where.project, where.path.split("/")[0], *where.path.removeprefix("src/").split("/")[:1]}
    suffix = PurePosixPath(where.path).suffix
    names = {part.lower().replace("-", "_").removesuffix(suffix) for part in parts} - _ORDINARY
    said = {word.replace("-", "_") for word in re.findall(r"[\w-]+", _spoken(facts).lower())}
    found = sorted(name for name in names & said if len(name) > 3 and name not in _own_words(facts))
    return f"It speaks of {found[0]}." if found else ""


def uses_unknown_names(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """Names of code that neither the signature, the language nor the libraries explain."""
    del config
    known = _own_words(facts) | {library.split(".")[-1] for library in candidate.libraries} | _KNOWN_NAMES
    known |= set(facts.known_names)
    known |= {name for member in candidate.members for name in member.names.split(", ")}
    shown = {word for text in facts.texts for word in re.findall(r"\w+", text)}
    text = _spoken(facts)
    known |= {name for part in _TUPLE.findall(text) for name in re.findall(r"\w+", part)}
    known |= set(_EXPLAINED.findall(text))
    found = _CODE_NAME.findall(text)
    found += [name for quoted in _QUOTED.findall(_spoken(facts)) for name in _names_in(quoted, facts, candidate)]
    unknown = sorted({name for name in found if name not in known and name not in shown})
    return f"Nothing explains {', '.join(unknown[:4])}." if unknown else ""


def _names_in(quoted: str, facts: FunctionFacts, candidate: Candidate) -> list[str]:
    """Names of classes and functions of other code in a text between backticks."""
    libraries = {*facts.known_libraries} | {library.split(".")[0] for library in candidate.libraries}
    called = re.findall(r"(?<![\w.])([A-Za-z_]\w*(?:\.\w+)*)\(", quoted)
    classes = re.findall(r"(?:^~?|(?<=[\s\[|]))([A-Z][a-z]+\w*\.[a-z_]\w*)$", quoted)
    dotted = re.findall(r"^~?([a-z_]\w*\.[A-Za-z_]\w*)$", quoted) if quoted.rpartition(".")[2] not in _ENDINGS else []
    names = [name for name in (*called, *classes, *dotted) if name.split(".")[0] not in libraries | _EXAMPLES
             and not facts.is_builtin(name)]
    return [name if "." not in name or name.split(".")[0] not in facts.arguments else name.split(".")[0]
            for name in names]


def is_provisional(facts: FunctionFacts, candidate: Candidate, config: JudgeConfig) -> str:
    """The author says that it is not finished."""
    del candidate, config
    found = _PROVISIONAL.search(facts.description.text if facts.description is not None else "")
    return f"It says {found.group(0)}." if found else ""


def _leaves_open(facts: FunctionFacts, config: JudgeConfig) -> str:
    """Why a signature is no description: the name is one word, types are open, or the body is full of prose.

    Where it says nothing, a text that tells what the body does is enough to implement the function.
    """
    if not config.undocumented:
        return "the release takes none without"
    name = [word for word in re.split(r"_|(?<=[a-z])(?=[A-Z])", facts.name) if len(word) > 1]
    if len(name) < MIN_NAME_WORDS:
        return "the name is one word"
    named = [parameter for parameter in facts.parameters if parameter.kind not in ("all positional", "all keyword")]
    if any(parameter.is_open for parameter in named):
        return "a parameter has no type"
    prose = any(len(re.findall(r"[A-Za-z']{2,}", text)) >= MIN_PROSE for text in facts.unraised_texts)
    return "it is full of its project's sentences" if prose else ""


def _spoken(facts: FunctionFacts) -> str:
    return facts.description.spoken if facts.description is not None else ""


def _own_words(facts: FunctionFacts) -> set[str]:
    """The names of the signature, and the exceptions and types that it speaks of."""
    names = {facts.name, *(parameter.name for parameter in facts.parameters)}
    for parameter in facts.parameters:
        names |= set(re.findall(r"\w+", parameter.annotation))
    return names | set(re.findall(r"\w+", facts.returned)) | set(facts.raised)


def _stem(word: str) -> str:
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word


_EVERYDAY = frozenset("the a an of to in is are and or if for with from by as that this be not it on".split())
_ORDINARY = frozenset("""src lib utils tools text data core common json yaml math time date dates string strings list
    table color colors path paths url html xml markdown number numbers python array graph tree image images""".split())
_KNOWN_NAMES = frozenset(
    """DataFrame DataFrames TypedDict NamedTuple OrderedDict JavaScript TypeScript GitHub GitLab LaTeX PyPI MacOS macOS
    YouTube OpenAI NumPy SciPy PyTorch TensorFlow
    UTF_8 snake_case camelCase CamelCase PascalCase kebab_case snake_case SCREAMING_SNAKE_CASE array_like
    start_end key_value MultiIndex Unicode x_1 x_2 x_i y_i x_n LineString MinMax""".split())
