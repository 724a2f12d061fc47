"""All ways to put a question otherwise, and the rows that they give for a task."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.errors import UserError, guess
from harness.records import FIRST_LANGUAGE, PromptVariant, Task
from harness.rewordings import as_variant
from pipeline.config import VaryConfig
from pipeline.records import Reason
from pipeline.rewording import words
from pipeline.rewording.drafts import Draft, Nothing, Question, Strategy, Writer
from pipeline.rewording.edits import applied, ordered, similarity
from pipeline.rewording.examples import ExampleInsertion, ExampleRemoval
from pipeline.rewording.extended import EXTENDED
from pipeline.rewording.names import SYNONYM, TYPO, Renaming
from pipeline.rewording.roundtrip import DescriptionRoundtrip
from pipeline.rewording.summary import DescriptionSummary
from pipeline.rewording.synonyms import DescriptionSynonym
from pipeline.rewording.templates import DescriptionParaphrase
from pipeline.rewording.typos import DescriptionTypo

CONTROLS = 3
"""How often the first question is asked again."""


class Control:
    """The first question once more."""

    name = "control"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        del question
        for _ in range(CONTROLS):
            yield Draft()


_PAPER: tuple[Strategy, ...] = (
    Control(),
    Renaming("function_typo", function=True, how=TYPO), Renaming("variable_typo", function=False, how=TYPO),
    Renaming("function_synonym", function=True, how=SYNONYM), Renaming("variable_synonym", function=False, how=SYNONYM),
    DescriptionTypo(), DescriptionSynonym(), DescriptionParaphrase(), DescriptionSummary(), ExampleInsertion(),
    ExampleRemoval(),
)
STRATEGIES: Mapping[str, Strategy] = {one.name: one for one in (*_PAPER, *EXTENDED, DescriptionRoundtrip())}
BY_RULES = tuple(one.name for one in (*_PAPER, *EXTENDED))
"""The strategies that need no model."""
USUAL = tuple(one.name for one in _PAPER)
"""The strategies of Prompt Mutation (section IV-B), and its control."""


def strategy_named(name: str) -> Strategy:
    """The strategy of a name; raises `UserError` with the nearest one where there is none."""
    if name not in STRATEGIES:
        raise UserError(f"There is no strategy {name!r}{guess(name, STRATEGIES)}: name one of {', '.join(STRATEGIES)}.")
    return STRATEGIES[name]


def checked(config: VaryConfig) -> VaryConfig:
    """Settings that can be met, with the usual strategies where none is named; raises `UserError`."""
    names = tuple(dict.fromkeys(config.strategies)) or USUAL
    for name in names:
        strategy_named(name)
    if DescriptionRoundtrip.name in names and not config.model:
        raise UserError(
            f"{DescriptionRoundtrip.name} needs a model that translates: name it by `vary --model NAME --models FILE`, "
            "or as model in the table [vary] of a release.toml, or leave the strategy out.")
    if not 0 <= config.rate <= 1:
        raise UserError(f"The rate is {config.rate:g}, but it is a share of the words: give a number from 0 to 1.")
    if config.variants < 1:
        raise UserError(f"{config.variants} variants are none: ask for at least 1.")
    return replace(config, strategies=names, synonyms=words.checked_sources(config.synonyms))


def reword(task: Task, config: VaryConfig, writer: Writer | None = None) -> list[PromptVariant]:
    """The variants of a task's question, sorted by strategy and number, with a row of its own for each that has none.

    `rate` and `synonyms` are the settings', the same seed gives the same rows. No variant scores cases that one of them
    shows. Where there is a `writer`, its texts come first. Raises `UserError` for settings that can't be met, and for
    tasks of another language.
    """
    config = checked(config)
    if task.language != FIRST_LANGUAGE or task.variation is not None:
        raise UserError(
            f"{task.task_id} can't be put otherwise: only questions for functions in {FIRST_LANGUAGE} can, so name "
            "another task.")
    question = Question(task, config, writer)
    made = {name: _made(question, STRATEGIES[name]) for name in sorted(config.strategies)}
    drafts = [one for found in made.values() if isinstance(found, list) for one in found]
    shown = {number for one in drafts for number in one.shown or ()}
    scored = tuple(sorted(set(range(len(task.cases))) - shown - set(question.shown)))
    rows = []
    for name, found in made.items():
        if not scored:
            found = Nothing(Reason.NO_CASE_TO_SCORE, f"Its examples show all {len(task.cases)} cases.")
        rows += [_empty(question, name, found)] if isinstance(found, Nothing) else [
            _row(question, name, number, one, scored) for number, one in enumerate(found, 1)]
    return rows


def _made(question: Question, strategy: Strategy) -> list[Draft] | Nothing:
    """What a strategy makes: texts that differ from the first one and from each other, as many as are wanted."""
    wanted = question.config.variants
    found: list[Draft] = []
    texts = {question.text}
    try:
        for draft in strategy.drafts(question):
            text = applied(question.text, draft.edits)
            if text not in texts or strategy.name == Control.name:
                found.append(draft)
            texts.add(text)
            if len(found) == wanted:
                break
    except Nothing as why:
        return why
    return found or Nothing(Reason.NO_WORD_TO_CHANGE, _lacking(question, strategy.name))


def _lacking(question: Question, name: str) -> str:
    strategy = STRATEGIES[name]
    if isinstance(strategy, Renaming):
        names = (question.task.entry_point,) if strategy.function else question.parameters
        return f"{', '.join(names) or 'No parameter'} can't be put otherwise by a name that is free."
    words = len(question.changing)
    return f"Of {len(question.words)} words {words} may change, but none in this way."


def _row(question: Question, strategy: str, number: int, draft: Draft, scored: Sequence[int]) -> PromptVariant:
    task = question.task
    text = applied(question.text, draft.edits)
    shown = question.shown if draft.shown is None else draft.shown
    made = PromptVariant(
        "", task.task_id, task.task_digest, task.track, strategy, number,
        question.config.seed, draft.rate, draft.entry_point, draft.signature,
        "" if text == task.instruction else text, draft.reference, dict(draft.renames), ordered(draft.edits), shown,
        tuple(scored), draft.information, draft.meaning, draft.author,
        similarity(question.text, text))
    return replace(made, variant_id=as_variant(task, made).id)


def _empty(question: Question, strategy: str, why: Nothing) -> PromptVariant:
    task = question.task
    return PromptVariant(
        "", task.task_id, task.task_digest, task.track, strategy, 0, question.config.seed,
        renames={}, reason=why.reason.name.lower(), evidence=str(why))

