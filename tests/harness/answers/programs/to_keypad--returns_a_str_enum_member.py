"""Uses a frozen dataclass and a StrEnum, whose member it returns where there is one digit."""
import enum
from dataclasses import dataclass


class Key(enum.StrEnum):
    TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE = "23456789"

    @classmethod
    def of(cls, c):
        for last, key in zip("cfilosvz", cls):
            if "a" <= c <= last:
                return key
        return None


@dataclass(frozen=True)
class Text:
    text: str

    @property
    def digits(self):
        for c in self.text:
            if c in ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"):
                yield c
            elif c == " ":
                yield "0"
            elif (key := Key.of(c.lower())) is not None:
                yield key


def to_keypad(text):
    digits = list(Text(text).digits)
    return digits[0] if len(digits) == 1 else "".join(digits)
