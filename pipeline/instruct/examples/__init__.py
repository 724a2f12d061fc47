"""Doctest examples: which cases are shown and how, and which of the author's own are true."""
