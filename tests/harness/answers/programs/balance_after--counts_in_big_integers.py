"""Scales all numbers to integers of some thousand bits and divides once at the end."""
from fractions import Fraction


def balance_after(principal, rate, years, deposit=0.0):
    (p, q), (a, b), (d, e) = (Fraction(value).as_integer_ratio() for value in (principal, rate, deposit))
    numerator, denominator = p, q
    for _ in range(years):
        numerator, denominator = numerator * (b + a) * e + d * denominator * b, denominator * b * e
    return numerator / denominator
