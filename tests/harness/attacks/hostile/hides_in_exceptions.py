"""Raises exceptions whose text and type are traps."""


class ValueError(BaseException):
    def __str__(self):
        raise SystemExit(0)


def runs(text):
    raise ValueError()
