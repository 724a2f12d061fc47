"""From clues to texts and bytes: formats, separators, pieces, what they carry, and marks at fixed places."""

from __future__ import annotations

from dataclasses import replace

from pipeline.suites.domain.spec import CARRIERS, Anything, Binary, Spec, Text
from pipeline.suites.inference.clues import Clue, merged
from pipeline.suites.inference.evidence.names import format_by_name
from pipeline.suites.inference.resolution.resolved_libraries import Resolve
from pipeline.suites.rules import finds

LONGEST = 12_000
"""The most characters of a text that a body can ask for with a length."""


def texts_of(known: Clue) -> tuple[str, ...]:
    """The texts that the body compares with."""
    return tuple(dict.fromkeys(value for value in known.constants if isinstance(value, str)))


def text_of(known: Clue, name: str, declared: Text, resolve: Resolve, placed: bool) -> Text:
    """The text, within what is declared, its pieces told apart by their places where that is asked."""
    formats = list(dict.fromkeys([*declared.formats, *known.formats]))
    hint = format_by_name(name)
    if hint and not any(one.split(":")[0] == hint.split(":")[0] for one in formats):
        formats.append(hint)
    separators = tuple(dict.fromkeys(value for value in known.separators if 0 < len(value) <= 20))[:12]
    piece: Spec | None = None
    if known.value is not None and separators:
        piece = resolve(known.value, Text())
        piece = None if piece == Text() else piece
    characters = merged([*known.items().related(), *known.elements().related()]).constants
    constants = (*texts_of(known), *(value for value in characters if isinstance(value, str)))
    lengths = tuple(sorted({n for n in known.lengths if 0 <= n <= LONGEST}))
    counts = tuple(sorted({n for n in known.counts if 0 < n <= 12}))
    keyed = bool(known.votes.get("hashable"))
    compared = [why for why in known.evidence if not why.startswith(("it is compared", "annotated", "its default"))]
    # Another parameter that it is compared with may be anything.
    open_ended = any(peer.parameter for peer in known.peers)
    closed = len(texts_of(known)) > 1 and not (formats or separators or compared or open_ended)
    searched = any("searches it" in why for why in known.evidence)
    unique = tuple(dict.fromkeys(constants))
    made = Text(tuple(formats), separators, piece, unique, lengths or declared.lengths, closed, searched, keyed, counts)
    content = _content(known, resolve) if set(formats) & set(CARRIERS) else None
    places = _places(known, resolve) if separators and placed else ()
    made = replace(made, segments=segments_of(known, str))
    return replace(made, starts=_short(known.starts), ends=_short(known.ends), content=content, places=places)


@finds("texts: pieces", tuple)
def _places(known: Clue, resolve: Resolve) -> tuple[tuple[str, tuple[Spec, ...]], ...]:
    """For each separator of a text its pieces by their place, where something is known of one that is not of all."""
    told = {id(clue) for place in known.places.values() for clue in place.related()}
    common = [clue for clue in known.values().related() if id(clue) not in told] if known.places else []
    found = []
    for sign in dict.fromkeys(sign for sign, _ in known.places):
        parts = [merged([*part.related(), *common]) for (one, _), part in sorted(known.places.items()) if one == sign]
        specs = [resolve(part, Text()) for part in parts]
        usual = resolve(merged(common), Text())
        while specs and specs[-1] == usual:
            specs.pop()
        if specs and known.counts:
            specs += [usual] * (min(known.counts) - len(specs))
        if sign and specs and any(spec != specs[0] for spec in [*specs, usual]):
            found.append((sign, tuple(specs)))
    return tuple(found)


@finds("texts: content that is read")
def _content(known: Clue, resolve: Resolve) -> Spec | None:
    """What is read out of a text or bytes, None where the body does nothing with it that tells."""
    if known.content is None:
        return None
    made = resolve(known.content, None)
    return None if made in (Anything(), Text(), Binary()) else made


@finds("texts: fixed places", tuple)
def segments_of(known: Clue, kind: type) -> tuple[tuple[int, int, str | bytes], ...]:
    """The parts at fixed places that are compared with constants of a kind."""
    return tuple(one for one in dict.fromkeys(known.segments) if isinstance(one[2], kind))[:24]


def _short(values: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if 0 < len(value) <= 40))[:12]
