"""Formats of texts: common notations, grammars and regular expressions, from which texts are drawn."""
