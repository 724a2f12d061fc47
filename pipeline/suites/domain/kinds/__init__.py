"""Kinds of values, a module each: how values of a type are drawn, changed and printed."""
