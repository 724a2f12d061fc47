"""Computes with Fraction and returns floats for all but whole means, which are ints."""
from fractions import Fraction


def smooth(values, width):
    if width < 1:
        raise ValueError
    exact = [Fraction(value) for value in values]
    means = (sum(exact[n:n + width], Fraction()) / width for n in range(len(exact) - width + 1))
    return [mean.numerator if mean.denominator == 1 else float(mean) for mean in means]
