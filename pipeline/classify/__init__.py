"""Dependencies: which names a function needs from outside, and whether an allowed library gives them."""

from pipeline.classify.rules import resolved_calls

__all__ = ["resolved_calls"]
