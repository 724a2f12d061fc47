"""Formats of texts: common notations, grammars, templates and regular expressions, from which texts are drawn."""
