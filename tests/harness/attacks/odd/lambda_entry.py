"""The entry point is a lambda with everything in one expression."""
from itertools import groupby

runs = lambda text: [(key, sum(1 for _ in group)) for key, group in groupby(text)]
