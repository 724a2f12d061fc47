"""Python: reading files and functions, names and scopes, control flow, docstrings."""
