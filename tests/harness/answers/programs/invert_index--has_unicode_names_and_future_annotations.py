"""Names in Greek, German and mathematical letters, annotations that name what is not there."""
from __future__ import annotations

ſorted = sorted


def invert_index(documents: Abbildung[Wort, Liste]) -> Nirgendwo:
    größe: Ganzzahl = len(documents)
    λ: λόγος = {}
    for ὄνομα, 𝓌ords in documents.items():
        for 𝐰 in words:
            λ.setdefault(w, {})[ὄνομα] = größe
    return {w: sorted(λ[w]) for w in λ}
