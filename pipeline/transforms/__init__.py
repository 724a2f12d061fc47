"""Rewriting code: `altering` changes what a program does, `preserving` how it looks."""
