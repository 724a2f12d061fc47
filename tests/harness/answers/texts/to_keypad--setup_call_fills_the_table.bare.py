KEYS = {}


def setup():
    groups = ["ABC", "DEF", "GHI", "JKL", "MNO", "PQRS", "TUV", "WXYZ"]
    for digit, group in enumerate(groups, start=2):
        for letter in group:
            KEYS[letter] = str(digit)
            KEYS[letter.lower()] = str(digit)
    for digit in "0123456789":
        KEYS[digit] = digit
    KEYS[" "] = "0"


def to_keypad(text: str) -> str:
    return "".join(KEYS.get(c, "") for c in text)


setup()
