"""Screening: what a function's control flow, data flow and calls say about whether it can be tested."""
