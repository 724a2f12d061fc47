"""Never comes back."""


def runs(text):
    while True:
        pass
