"""Evidence for types of parameters, one source per module: annotations, docstrings, prose, examples, signatures."""
