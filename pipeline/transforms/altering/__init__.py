"""Changes of a program that alter what it does: mutants, and slips that a reader makes."""
