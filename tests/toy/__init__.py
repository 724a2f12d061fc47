"""A toy language, in the words of `tests/pipeline/classify/test_graph.py`, so that no seam rests on Python alone."""
