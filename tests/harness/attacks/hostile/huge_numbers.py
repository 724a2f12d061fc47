"""Returns whole numbers with millions of digits, having taken away the limit on writing them."""
import sys


def runs(text):
    sys.set_int_max_str_digits(0)
    return [1 << 60_000_000, -(1 << 8_000_000)]
