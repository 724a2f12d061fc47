"""What maintainers write for single functions: text, contract, strategies; and the names that tasks have in public."""
