"""Imports pandas within the function and rolls a Series."""


def smooth(values, width):
    if width < 1:
        raise ValueError("width must be at least 1")
    import pandas as pd

    return pd.Series(values, dtype="float64").rolling(width).mean().dropna().tolist()
