"""Returns a Fraction that is equal to the float."""
from fractions import Fraction


def balance_after(principal, rate, years, deposit=0.0):
    balance = principal
    for _ in range(years):
        balance = balance * (1 + rate) + deposit
    return Fraction(balance)
