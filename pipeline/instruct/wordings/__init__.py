"""Variants of the wording of an instruction: prompt levels, rephrasings, back-translations."""
