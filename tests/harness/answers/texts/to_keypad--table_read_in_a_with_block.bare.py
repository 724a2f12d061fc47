import io

KEYS = {" ": "0"}
with io.StringIO("0\n1\n2 abc\n3 def\n4 ghi\n5 jkl\n6 mno\n7 pqrs\n8 tuv\n9 wxyz\n") as lines:
    for line in lines:
        key, *rest = line.split()
        KEYS[key] = key
        if rest:
            KEYS |= dict.fromkeys(rest[0] + rest[0].upper(), key)


def to_keypad(text: str) -> str:
    return "".join(map(lambda ch: KEYS.get(ch, ""), text))
