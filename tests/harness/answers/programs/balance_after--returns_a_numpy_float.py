"""Returns an np.float64, the last item of a cumulated array."""
import numpy as np


def balance_after(principal, rate, years, deposit=0.0):
    balances = np.empty(years + 1)
    balances[0] = principal
    for year in range(years):
        balances[year + 1] = balances[year] * (1 + rate) + deposit
    return balances[-1]
