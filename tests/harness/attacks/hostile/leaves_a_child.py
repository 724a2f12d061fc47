"""Leaves a child that goes on writing into what it has inherited after its parent has gone."""
import os


def runs(text):
    if os.fork() == 0:
        os.setsid()
        while True:
            for number in range(3, 256):
                try:
                    os.write(number, b'{"status": "returned", "value": null}\n')
                except OSError:
                    pass
    os._exit(0)
