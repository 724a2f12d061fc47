"""Lets the fault handler write into every descriptor and then runs into an invalid address."""
import ctypes
import faulthandler
import os


def runs(text):
    for number in range(1, 256):
        try:
            os.fstat(number)
            faulthandler.dump_traceback(file=number, all_threads=True)
            faulthandler.enable(file=number)
        except (OSError, ValueError, RuntimeError):
            continue
    ctypes.string_at(1)
