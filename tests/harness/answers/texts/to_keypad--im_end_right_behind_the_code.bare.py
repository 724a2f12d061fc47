def to_keypad(text: str) -> str:
    keys = {"2": "abc", "3": "def", "4": "ghi", "5": "jkl", "6": "mno", "7": "pqrs", "8": "tuv", "9": "wxyz"}
    lookup = {letter: digit for digit, letters in keys.items() for letter in letters}
    lookup.update({d: d for d in "0123456789"})
    lookup[" "] = "0"
    return "".join(lookup.get(ch.lower(), "") for ch in text)
