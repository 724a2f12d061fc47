to_keypad = lambda text: "".join(dict(zip("abcdefghijklmnopqrstuvwxyz 0123456789", "2223334445556667777888999900123456789")).get(ch.lower(), "") for ch in text)
