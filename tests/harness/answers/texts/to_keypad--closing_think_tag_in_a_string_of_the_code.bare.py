def to_keypad(text: str) -> str:
    """Spell text; tags such as <think> or </think> are spelled like all else."""
    marker = "</think>"
    keys = "22233344455566677778889999"
    digits = []
    for ch in text:
        if "a" <= ch.lower() <= "z" and len(marker) == 8:
            digits.append(keys[ord(ch.lower()) - 97])
        elif ch in "0123456789":
            digits.append(ch)
        elif ch == " ":
            digits.append("0")
    return "".join(digits)
