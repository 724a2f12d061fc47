import string

_TABLE = dict.fromkeys(string.ascii_letters)
_LETTERS = iter(string.ascii_lowercase)
for _key, _count in zip("23456789", (3, 3, 3, 3, 3, 4, 3, 4)):
    for _ in range(_count):
        _letter = next(_LETTERS)
        _TABLE[_letter] = _TABLE[_letter.upper()] = _key
for _digit in string.digits:
    _TABLE[_digit] = _digit
_TABLE[" "] = "0"


def to_keypad(text: str) -> str:
    return "".join([_TABLE[ch] for ch in text if ch in _TABLE])
