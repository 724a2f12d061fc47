"""Experiments: the tables of the papers, from a file of settings, with answerers whose truth is known."""
