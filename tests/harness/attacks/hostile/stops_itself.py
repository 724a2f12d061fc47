"""Stops all of its processes while it is loaded, and keeps whoever waits for it waiting."""
import os
import signal

for _ in range(3):
    os.fork()
os.kill(os.getpid(), signal.SIGSTOP)


def runs(text):
    return None
