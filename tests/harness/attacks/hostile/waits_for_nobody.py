"""Waits in each call, by way of a child, for a word that nobody says."""
import os
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
read, write = os.pipe()


def runs(text):
    if os.fork() == 0:
        os.read(read, 1)
    return os.wait()
