"""Scoring: verdicts on answers, results as files, metrics and comparisons."""
