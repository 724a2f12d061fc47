KEYS = {ch: key for group, key in zip("abc def ghi jkl mno pqrs tuv wxyz".split(), "23456789") for ch in group}
KEYS.update({d: d for d in "0123456789"})
KEYS[" "] = "0"


def to_keypad(text: str) -> str:
    return "".join(KEYS.get(ch.lower(), "") for ch in text)
