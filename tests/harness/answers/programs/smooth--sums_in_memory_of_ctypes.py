"""Copies the values into an array of C and sorts windows out by pointers; calls sqrt of the C library."""
import ctypes
import ctypes.util

_libm = ctypes.CDLL(None)
_libm.sqrt.argtypes, _libm.sqrt.restype = [ctypes.c_double], ctypes.c_double


def smooth(values, width):
    if width < 1:
        raise ValueError("width must be at least 1")
    count = len(values)
    numbers = (ctypes.c_double * (count or 1))(*values)
    found = []
    for first in range(count - width + 1):
        window = ctypes.cast(ctypes.byref(numbers, first * ctypes.sizeof(ctypes.c_double)), ctypes.POINTER(ctypes.c_double))
        found.append(sum(window[n] for n in range(width)) / _libm.sqrt(float(width * width)))
    return found
