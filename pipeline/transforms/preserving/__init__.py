"""Changes of a program that keep what it does: seeded, each with the conditions under which it is sound."""
