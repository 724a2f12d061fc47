"""Returns a str of an own class that can dial itself."""


class Number(str):
    def dial(self):
        return [int(digit) for digit in self]


KEYS = Number("22233344455566677778889999")


def to_keypad(text):
    number = Number()
    for c in text:
        if "a" <= c <= "z" or "A" <= c <= "Z":
            number += KEYS[(ord(c) | 32) - 97]
        elif c == " " or "0" <= c <= "9":
            number += c.replace(" ", "0")
    return Number(number)
