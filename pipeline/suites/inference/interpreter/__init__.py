"""Interpreting the body: what it does to each parameter, read off the syntax tree without running it."""
