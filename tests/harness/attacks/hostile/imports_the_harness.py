"""Imports whatever could hold the cases."""


def runs(text):
    for name in ("harness", "harness.dataset", "datasets", "lm_eval", "pipeline", "values", "python_driver"):
        try:
            return [__import__(name).__name__]
        except ImportError:
            continue
    return None
