"""Returns money: a float of an own class that adds to money of the same class."""
import functools
import operator


class Money(float):
    def __add__(self, other):
        return Money(float.__add__(self, other))

    def __mul__(self, other):
        return Money(operator.mul(float(self), other))

    def __repr__(self):
        return f"Money({float(self):.2f})"


def balance_after(principal, rate, years, deposit=0.0):
    return functools.reduce(lambda money, _: money * (1 + rate) + deposit, range(years), Money(principal))
