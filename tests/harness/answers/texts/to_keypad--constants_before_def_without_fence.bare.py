ALPHABET = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "22233344455566677778889999"

def to_keypad(text: str) -> str:
    out = []
    for ch in text:
        if ch in "0123456789":
            out.append(ch)
        elif ch == " ":
            out.append("0")
        elif ch.lower() in ALPHABET:
            out.append(DIGITS[ALPHABET.index(ch.lower())])
    return "".join(out)
