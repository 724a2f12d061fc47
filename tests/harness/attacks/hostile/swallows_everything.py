"""Never comes back and catches whatever should stop it."""


def runs(text):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
