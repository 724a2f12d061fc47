"""Builds a table for all of Unicode at import, which takes about half a second."""
import sys
import unicodedata

KEYS = "22233344455566677778889999"
TABLE = {}
for code in range(sys.maxunicode + 1):
    character = chr(code)
    if unicodedata.category(character) in ("Lu", "Ll") and character.isascii():
        TABLE[code] = KEYS[ord(character.lower()) - 97]
    elif character == " ":
        TABLE[code] = "0"
    elif not ("0" <= character <= "9"):
        TABLE[code] = None


def to_keypad(text):
    return text.translate(TABLE)
