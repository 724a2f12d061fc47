"""Selection: which valid inputs become the suite, and how sharp it is against mutants and shortcut answers."""
