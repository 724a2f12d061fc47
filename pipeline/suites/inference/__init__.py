"""Inference: from a function's source text to what each of its parameters may be, with the evidence for it."""
