"""Blocks every signal that can be blocked, in all of its threads, and never comes back."""
import signal
import threading


def runs(text):
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())

    def burn():
        while True:
            pass

    threading.Thread(target=burn).start()
    burn()
