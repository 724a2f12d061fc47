"""Writing an instruction by rules: the author's docstring, what analysis knows, examples from the cases."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass, replace

from harness.values.expressions import Names
from pipeline.config import InstructConfig
from pipeline.instruct import Draft
from pipeline.instruct.claims import confirmed
from pipeline.instruct.conditions import special_cases
from pipeline.instruct.examples import Example, choose
from pipeline.instruct.notes import behaviour_notes, operation_notes, type_notes
from pipeline.languages.python.facts import Facts, read_facts
from pipeline.languages.python.uses import BUILTINS
from pipeline.records import Suite


@dataclass(frozen=True)
class RuleWriter:
    """Keeps the author's text as it is and adds single sentences that all cases bear out; nothing is guessed."""

    config: InstructConfig
    name: str = "rules-1"

    def write(self, suite: Suite, facts: Facts | None = None) -> Draft:
        """The stub of the suite's function with the refined docstring."""
        facts = facts or read_facts(suite.candidate.program, suite.candidate.function.name)
        draft = basis(suite, facts, self.config)
        return assembled(draft, type_notes(suite, facts) + draft.behaviour)


def basis(suite: Suite, facts: Facts, config: InstructConfig) -> Draft:
    """The author's text, what is known of special cases, operations and exceptions, and the examples."""
    author = facts.description.text if facts.description else ""
    spoken = facts.description.spoken if facts.description else ""
    special = confirmed(special_cases(facts), facts, suite.cases)
    behaviour = behaviour_notes(suite, facts, special)
    names = " ".join([facts.function.name, *(parameter.name for parameter in facts.parameters)]).replace("_", " ")
    operations = operation_notes(facts, f"{spoken}\n{names}".lower(), suite.cases)
    behaviour += tuple(dict.fromkeys(sentence for sentences in operations.values() for sentence in sentences))
    told = frozenset().union(*(case.sources for case in special)) | {
        name for name, sentences in operations.items() if sentences}
    return replace(bare(suite, facts, config), behaviour=behaviour, told=told, author=author)


def bare(suite: Suite, facts: Facts, config: InstructConfig, spoken: str = "") -> Draft:
    """The signature and the examples alone, with the imports that they and a text need."""
    imports = needed_imports(suite, facts, spoken)
    examples = choose(suite, facts, config)
    indices = tuple(example.index for example in examples)
    return Draft(signature(facts), imports, "", (), (), frozenset(), indices, _shown(examples, imports), "")


def assembled(draft: Draft, notes: tuple[str, ...], steps: str = "") -> Draft:
    """A draft with its whole text: the author's words, the notes, steps, the examples."""
    text = _stub(draft.imports, draft.signature, _docstring(draft.author, notes, steps, draft.shown))
    return replace(draft, notes=notes, text=text)


def _shown(examples: list[Example], imports: tuple[str, ...]) -> str:
    """The examples as one doctest, with the imports that its values need."""
    lacking = Names.of(imports).missing(text for example in examples for text in example.expressions)
    return "\n".join((*(f">>> {line}" for line in lacking), *(example.text for example in examples)))


def signature(facts: Facts) -> str:
    """The `def` line in one line, with annotations and default values."""
    function = facts.function
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"def {function.name}({ast.unparse(function.args)}){returned}:"


def needed_imports(suite: Suite, facts: Facts, spoken: str = "") -> tuple[str, ...]:
    """The program's import lines that the signature needs, those whose names are `spoken` of as code, and, for
    functions with libraries, those of the libraries.

    `from __future__ import annotations` is kept only where an annotation has a name that nothing binds.
    """
    asked = {node.id for node in ast.walk(_signature_tree(facts)) if isinstance(node, ast.Name)}
    asked |= set(re.findall(r"(?<!['\"\w])[A-Za-z_]\w*(?!['\"\w])", spoken)) & {
        name for line in suite.candidate.imports if not line.startswith("from __future__") for name in _bound_by(line)}
    bound = {name for line in suite.candidate.imports for name in _bound_by(line)}
    postponed = bool(asked - bound - BUILTINS)
    return tuple(
        line for line in suite.candidate.imports
        if (postponed if line.startswith("from __future__") else _is_needed(line, asked, suite))
    )


def _is_needed(line: str, asked: set[str], suite: Suite) -> bool:
    return bool(_bound_by(line) & asked) or (bool(suite.candidate.libraries) and not _is_typing(line))


def _signature_tree(facts: Facts) -> ast.AST:
    """The annotations and defaults alone; annotations in quotes are read as well."""
    arguments = facts.function.args
    everything = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    everything += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]
    expressions = [argument.annotation for argument in everything] + [facts.function.returns]
    expressions += [*arguments.defaults, *arguments.kw_defaults]
    return ast.Tuple([_unquoted(node) for node in expressions if node is not None], ast.Load())


def _unquoted(node: ast.expr) -> ast.expr:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            return ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return node
    return node


def _bound_by(line: str) -> set[str]:
    statement = ast.parse(line).body[0]
    names = statement.names if isinstance(statement, (ast.Import, ast.ImportFrom)) else []
    return {(alias.asname or alias.name).split(".")[0] for alias in names}


def _is_typing(line: str) -> bool:
    return line.startswith(("from typing", "import typing", "from collections.abc", "from __future__"))


def _docstring(author: str, added: tuple[str, ...], steps: str, shown: str) -> str:
    """The parts with blank lines between them."""
    parts = [author] if author.strip() else [steps]
    if added:
        parts.append("Details (in no particular order):\n" + "\n".join(f"    - {note}" for note in added))
    if author.strip():
        parts.append(steps)
    if shown:
        parts.append("More examples:\n" if re.search(r"(?mi)>>>|^ *examples?:", author) else "Examples:\n")
        parts[-1] += textwrap.indent(shown.replace("\n>>>", "\n\n>>>"), "    ")
    return "\n\n".join(part for part in parts if part.strip())


def _stub(imports: tuple[str, ...], line: str, docstring: str) -> str:
    """The text as a file that ends behind the docstring."""
    head = "\n".join(imports) + "\n\n\n" if imports else ""
    return f"{head}{line}\n{textwrap.indent(_quoted(docstring), '    ')}\n"


def _quoted(text: str) -> str:
    """A text as a docstring literal that gives the text back: raw where it holds backslashes and nothing forbids it."""
    if '"""' in text:
        text = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
        return f'"""{text}\n"""'
    return f'{"r" if chr(92) in text else ""}"""{text}\n"""'
