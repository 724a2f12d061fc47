"""Returns a 0-d array of numpy."""
import numpy as np


def balance_after(principal, rate, years, deposit=0.0):
    balance = np.array(principal, dtype=float)
    for _ in range(years):
        balance *= 1 + rate
        balance += deposit
    return balance
