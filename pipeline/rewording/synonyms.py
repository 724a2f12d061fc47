"""Words of the prose replaced by others of the same meaning, inflected alike, where the place admits them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from harness.records import Edit
from pipeline.records import Reason
from pipeline.rewording.drafts import RULES, UNCHECKED, Draft, Nothing, Question
from pipeline.rewording.inflection import BASE, GERUND, NOUN, PARTICIPLE, PAST, PLURAL, THIRD, VERB, article, cased
from pipeline.rewording.protected import Word
from pipeline.rewording.words import TEXT, WORDNET, Conditions, Substitution, substitutions, surroundings

TRIES = 6
"""How many draws there are for each variant that is wanted, as some are alike."""


@dataclass(frozen=True)
class Place:
    """Words of a text that others may stand for: what they are, and what may be put there."""

    words: tuple[Word, ...]
    found: Substitution

    @property
    def start(self) -> int:
        """Where they begin."""
        return self.words[0].start

    @property
    def end(self) -> int:
        """Where they end."""
        return self.words[-1].end


Site = tuple[Place, ...]
"""Places that are changed together: all of a noun, so that a thing goes on to have one name; one of other words."""


class DescriptionSynonym:
    """A share of the words that have a synonym, replaced by it."""

    name = "description_synonym"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        sites: list[tuple[Site, str]] = []
        for source in question.config.synonyms:
            own = {word.start for site, _ in sites for place in site for word in place.words}
            for site in sites_of(question, source):
                if own.isdisjoint(word.start for place in site for word in place.words):
                    sites.append((site, source))
        total = sum(len(site) for site, _ in sites)
        if question.config.rate <= 0:
            return
        if not total and any(places_of(question, source) for source in question.config.synonyms):
            raise Nothing(
                Reason.MEANING_CHANGED, "All words that could be put mean something else in this text, or are names.")
        if not total:
            return
        wanted = max(1, round(question.config.rate * total))
        for number in range(TRIES * question.config.variants):
            random = question.random(self.name, number)
            edits: list[Edit] = []
            sources = set()
            for site, source in random.sample(sites, len(sites)):
                if len(edits) < wanted and (not edits or len(edits) + len(site) <= 2 * wanted):
                    edits += replaced(question, site, random.randrange(len(site[0].found.others)))
                    sources.add(source)
            meaning = UNCHECKED if WORDNET in sources else RULES
            yield Draft(tuple(edits), meaning=meaning, rate=question.config.rate)


def replaced(question: Question, site: Site, choice: int) -> list[Edit]:
    """The words of a site replaced by one of those that may stand there."""
    edits = []
    for place in site:
        other = place.found.others[choice % len(place.found.others)]
        start, before = place.start, question.text[place.start : place.end]
        after = cased(other, before)
        indefinite = re.search(r"(?i)(?<!\w)(an?)(\s+)\Z", question.text[:start][-40:])
        if indefinite and place.words[0].previous == indefinite[1].lower():
            put = article(indefinite[1], other)
            before, after = indefinite[0] + before, put + indefinite[2] + after
            start -= len(indefinite[0])
        edits.append(Edit(start, before, after))
    return edits


def sites_of(question: Question, source: str) -> list[Site]:
    """What may be replaced by words of a source without meaning something else, in the order of the text."""
    return _sites(question, places_of(question, source))


def places_of(question: Question, source: str) -> list[Place]:
    """What a source has other words for, in the order of the text."""
    words, table = question.words, substitutions(source, TEXT)
    places: list[Place] = []
    number = 0
    while number < len(words):
        place = _place(question, words, number, table)
        if place is not None:
            places.append(place)
        number += len(place.words) if place else 1
    return places


def _place(
    question: Question, words: Sequence[Word], number: int, table: Mapping[str, tuple[Substitution, ...]]
) -> Place | None:
    for one in table.get(words[number].lower, ()):
        own = tuple(words[number : number + len(one.words)])
        phrase = len(own) == len(one.words) and all(a.lower == b for a, b in zip(own, one.words, strict=True))
        if phrase and _together(question, own) and _fits(words, number, own, one):
            return Place(own, one)
    return None


def _together(question: Question, own: Sequence[Word]) -> bool:
    """Whether words stand side by side in one line, and may change; what a phrase holds besides is its own."""
    text = question.text[own[0].start : own[-1].end]
    plain = own[0].changes if len(own) == 1 else all(word.text.isalpha() for word in own)
    return plain and "\n" not in text and text.count(" ") == len(own) - 1


def _fits(words: Sequence[Word], number: int, own: Sequence[Word], one: Substitution) -> bool:
    previous, following = own[0].previous, own[-1].following
    conditions = one.conditions
    if conditions.affirm and _denied(words, number):
        return False
    if one.form in (PAST, PARTICIPLE):
        conditions = replace(conditions, object=False)
    if not _alongside(conditions, own[0], previous, following):
        return False
    if one.kind == NOUN:
        return _is_noun(one, previous, following)
    return one.kind != VERB or _is_verb(one, own[0], previous, following)


def _alongside(conditions: Conditions, word: Word, previous: str, following: str) -> bool:
    around = surroundings()
    wants = (
        (conditions.object, following in around.openers),
        (conditions.noun, bool(following) and following not in around.closed),
        (conditions.first, word.first), (conditions.ends, not following),
        (conditions.alone, not following and not previous),
        (bool(conditions.only_before), following in conditions.only_before),
        (bool(conditions.only_after), previous in conditions.only_after),
    )
    if not all(holds for wanted, holds in wants if wanted):
        return False
    return previous not in conditions.unless_after and following not in conditions.unless_before


def _is_verb(one: Substitution, word: Word, previous: str, following: str) -> bool:
    around = surroundings()
    if one.form in (BASE, THIRD, GERUND) and previous in around.nominal:
        return False
    if one.form == BASE:
        return (word.first and word.text[0].isupper()) or previous in around.verbal
    if one.form == THIRD:
        return following not in around.verbal_after and (bool(previous) or bool(following))
    if one.form == PAST and _ambiguous(one):
        return previous in around.subjects
    return one.form != PARTICIPLE or not _ambiguous(one) or previous in around.auxiliary


def _ambiguous(one: Substitution) -> bool:
    """Whether a verb's past and participle, or its base form, read alike, but not those of what stands for it."""
    base, _, _, past, participle = one.forms
    alike = len({base, past, participle}) < 3
    others = [len({other[0], other[3], other[4]}) for other in one.other_forms]
    return alike and any(count != len({base, past, participle}) for count in others)


def _is_noun(one: Substitution, previous: str, following: str) -> bool:
    around = surroundings()
    if one.form == PLURAL:
        return previous not in around.subjects and following not in around.openers
    return previous in around.nominal


def _denied(words: Sequence[Word], number: int) -> bool:
    """Whether a word before it in its sentence denies something."""
    own = words[number].sentence
    before = [word.lower for word in words[:number] if word.sentence == own]
    return any(word in surroundings().denying or word.endswith("n't") for word in before)


def _sites(question: Question, places: Sequence[Place]) -> list[Site]:
    """Places of one noun together; none whose other name the text has already, or has as code or in a name."""
    nouns: dict[tuple[str, ...], list[Place]] = {}
    sites: list[Site] = []
    for place in places:
        if place.found.kind == NOUN:
            nouns.setdefault(place.found.forms, []).append(place)
        else:
            sites.append((place,))
    for some in nouns.values():
        site = _free(question, some)
        sites += [site] if site else []
    return sorted(sites, key=lambda site: site[0].start)


def _free(question: Question, some: Sequence[Place]) -> Site:
    """The places of a noun, with what is free to stand there."""
    first = some[0].found
    said = sum(_said(question.text, form) for form in dict.fromkeys(first.forms))
    if said > len(some):
        return ()
    free = [place for place, other in enumerate(first.other_forms)
            if not any(_said(question.text, form) for form in other)]
    site = []
    for place in some:
        others = tuple(place.found.others[number] for number in free if number < len(place.found.others))
        site.append(Place(place.words, _with(place.found, others)))
    return tuple(site) if free and all(place.found.others for place in site) else ()


def _with(found: Substitution, others: tuple[str, ...]) -> Substitution:
    return Substitution(
        found.kind, found.form, found.lemma, found.words, others, found.conditions, found.forms, found.other_forms)


def _said(text: str, word: str) -> int:
    """How often a text has a word, in whatever part, names that hold it included."""
    return len(_pattern(word).findall(text))


@cache
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![a-z]){re.escape(word)}(?![a-z])", re.IGNORECASE)
