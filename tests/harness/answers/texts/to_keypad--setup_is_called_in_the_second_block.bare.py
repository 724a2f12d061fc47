_keypad = {}


def load_keypad():
    for digit, letters in {"2": "abc", "3": "def", "4": "ghi", "5": "jkl",
                           "6": "mno", "7": "pqrs", "8": "tuv", "9": "wxyz"}.items():
        for letter in letters + letters.upper():
            _keypad[letter] = digit
    for digit in "0123456789":
        _keypad[digit] = digit
    _keypad[" "] = "0"


def to_keypad(text: str) -> str:
    if not _keypad:
        raise RuntimeError("call load_keypad() first")
    return "".join(_keypad.get(ch, "") for ch in text)


load_keypad()
