"""Writing an instruction by rules: the author's docstring, what analysis knows, examples from the cases."""

from __future__ import annotations

import ast
import textwrap
from dataclasses import dataclass, replace

from harness.expressions import Names
from pipeline.config import InstructConfig
from pipeline.instruct import Draft
from pipeline.instruct.claims import confirmed
from pipeline.instruct.conditions import special_cases
from pipeline.instruct.constants import untold_constants
from pipeline.instruct.examples import Example, choose
from pipeline.instruct.notes import behaviour_notes, operation_notes, type_notes
from pipeline.instruct.told import View, untold_decisions, untold_named_operations
from pipeline.instruct.uses import MATTERS, Use, Uses
from pipeline.instruct.wording import arithmetic_is_bounded
from pipeline.languages.python_facts import Facts, read_facts
from pipeline.languages.python_uses import BUILTINS
from pipeline.records import Suite


@dataclass(frozen=True)
class RuleWriter:
    """Keeps the author's text as it is and adds what it leaves out; nothing is guessed."""

    config: InstructConfig
    name: str = "rules-1"

    def write(self, suite: Suite, facts: Facts | None = None) -> Draft:
        """The stub of the suite's function with the refined docstring."""
        facts = facts or read_facts(suite.candidate.program, suite.candidate.function.name)
        draft = basis(suite, facts, self.config)
        uses = _uses(View(facts, suite, draft, self.config))
        behaviour = draft.behaviour + tuple(dict.fromkeys(use.sentence for use in uses))
        told = draft.told.union(*(use.told for use in uses))
        return assembled(replace(draft, behaviour=behaviour, told=told), type_notes(suite, facts) + behaviour)


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


def bare(suite: Suite, facts: Facts, config: InstructConfig) -> Draft:
    """The signature and the examples alone."""
    imports = needed_imports(suite, facts)
    examples = choose(suite, facts, config)
    indices = tuple(example.index for example in examples)
    return Draft(signature(facts), imports, "", (), (), frozenset(), indices, _shown(examples, imports), "")


def assembled(draft: Draft, notes: tuple[str, ...], steps: str = "") -> Draft:
    """A draft with its whole text: the author's words, the notes, steps, the examples."""
    text = _stub(draft.imports, draft.signature, _docstring(draft.author, notes, steps, draft.shown))
    return replace(draft, notes=notes, text=text)


def _uses(view: View) -> list[Use]:
    """What the constants and conditions that nothing tells are for; none where that would be a long list."""
    teller = Uses(view.facts)
    found = teller.of_constants(untold_constants(view.facts, view.texts))
    found += teller.of_decisions(untold_decisions(view))
    found += teller.of_operations(untold_named_operations(view))
    found += teller.of_arithmetic() if arithmetic_is_bounded(view) else []
    telling = [use.sentence for use in found if not use.sentence.startswith(MATTERS)]
    found = [replace(use, sentence=next((other for other in telling if _asks(use.sentence) in other), use.sentence))
             for use in found]
    return found if len({use.sentence for use in found}) <= view.config.max_uses else []


def _asks(sentence: str) -> str:
    """The condition in a sentence that says nothing but that there is one; a mark that no text holds otherwise."""
    return sentence.removeprefix(f"{MATTERS} ").removesuffix(".") if sentence.startswith(MATTERS) else "\0"


def _shown(examples: list[Example], imports: tuple[str, ...]) -> str:
    """The examples as one doctest, with the imports that its values need."""
    lacking = Names.of(imports).missing(text for example in examples for text in example.expressions)
    return "\n".join((*(f">>> {line}" for line in lacking), *(example.text for example in examples)))


def signature(facts: Facts) -> str:
    """The `def` line in one line, with annotations and default values."""
    function = facts.function
    returned = f" -> {ast.unparse(function.returns)}" if function.returns else ""
    return f"def {function.name}({ast.unparse(function.args)}){returned}:"


def needed_imports(suite: Suite, facts: Facts) -> tuple[str, ...]:
    """The program's import lines that the signature needs and, for functions with libraries, those of the libraries.

    `from __future__ import annotations` is kept only where an annotation has a name that nothing binds.
    """
    asked = {node.id for node in ast.walk(_signature_tree(facts)) if isinstance(node, ast.Name)}
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
        parts.append("More examples:\n" if ">>>" in author else "Examples:\n")
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
