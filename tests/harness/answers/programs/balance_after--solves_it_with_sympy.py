"""Writes the closed form with sympy once, lambdifies it for mpmath, and returns a float."""
import functools


@functools.cache
def _form(zero):
    import sympy

    p, r, d = sympy.symbols("p r d")
    n = sympy.Symbol("n", integer=True)
    form = p + n * d if zero else p * (1 + r) ** n + d * ((1 + r) ** n - 1) / r
    return sympy.lambdify((p, r, n, d), form, "mpmath")


def balance_after(principal, rate, years, deposit=0.0):
    import mpmath

    with mpmath.workdps(40):
        return float(_form(rate == 0)(mpmath.mpf(principal), mpmath.mpf(rate), years, mpmath.mpf(deposit)))
