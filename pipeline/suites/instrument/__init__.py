"""Instrumented copies of a reference: branches and conditions that a call takes, its work, how stable its answer is."""
