"""The description there and back: what a model's translations to other languages, and from these, make of it."""

from __future__ import annotations

from collections.abc import Iterator

from pipeline.records import Reason
from pipeline.rewording.drafts import Draft, Nothing, Question


class DescriptionRoundtrip:
    """A variant for each language from which the same question comes back; a model has to be asked."""

    name = "description_roundtrip"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        made = 0
        for draft in question.writer.roundtrips(question) if question.writer is not None else ():
            made += 1
            yield draft
        if not made:
            raise Nothing(Reason.MEANING_CHANGED, "Of what came back from other languages nothing passed all checks.")
