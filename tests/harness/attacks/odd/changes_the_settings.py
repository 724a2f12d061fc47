"""Changes settings of the interpreter: recursion, switching, random numbers, decimals, locale and the collector."""
import decimal
import gc
import locale
import random
import sys

sys.setrecursionlimit(20_000)
sys.setswitchinterval(0.001)
gc.disable()
random.seed(1)
decimal.getcontext().prec = 3
locale.setlocale(locale.LC_ALL, "C")


def runs(text):
    def deep(level):
        return level if level == 0 else deep(level - 1)

    assert deep(5_000) == 0
    found = []
    for character in text:
        if found and found[-1][0] == character:
            found[-1] = (character, int(decimal.Decimal(found[-1][1]) + 1))
        else:
            found.append((character, 1))
    return found
