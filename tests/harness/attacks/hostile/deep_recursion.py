"""Overruns the stack."""
import sys


def runs(text):
    sys.setrecursionlimit(10**9)
    deep = []
    for _ in range(10**6):
        deep = [deep]
    return runs(repr(deep))
