"""Strategies that a language model writes where the search lacks inputs: asked for, made runnable, drawn from."""
