"""Scoring code: an answer goes in, a verdict comes out; nothing here knows how tasks are made."""

__version__ = "0.1.0"
