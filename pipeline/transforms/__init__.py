"""Rewriting code: variants of a program whose meaning is changed on purpose."""
