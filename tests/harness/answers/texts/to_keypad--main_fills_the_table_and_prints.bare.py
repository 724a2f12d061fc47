LOOKUP = {}


def to_keypad(text: str) -> str:
    return "".join(LOOKUP.get(ch, "") for ch in text)


def main():
    rows = "ABC2 DEF3 GHI4 JKL5 MNO6 PQRS7 TUV8 WXYZ9".split()
    for row in rows:
        for ch in row:
            LOOKUP[ch] = LOOKUP[ch.lower()] = row[-1]
    LOOKUP.update({"0": "0", "1": "1", " ": "0"})
    print(to_keypad("Hello World"))


main()
