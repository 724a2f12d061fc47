"""Operators that make programs more complex and keep their meaning (GeneBench, section 4); peers, a file for each kind.

Each changes one place at a time. A place is named by its origin: every node of the first program has a number, which
copies of it keep; what operators add has none, so that no operator works on what another one has brought, but whole
functions that were cut out of the first program.
"""
