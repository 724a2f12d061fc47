"""Counts its calls in a global, in an attribute of the function and in a nonlocal of a closure."""
calls = 0


def _make():
    seen = 0
    table = [[*"abc"], [*"def"], [*"ghi"], [*"jkl"], [*"mno"], [*"pqrs"], [*"tuv"], [*"wxyz"]]

    def to_keypad(text):
        global calls
        nonlocal seen
        calls += 1
        seen += 1
        to_keypad.calls = getattr(to_keypad, "calls", 0) + 1
        assert calls == seen == to_keypad.calls
        return "".join(
            next((str(key) for key, group in enumerate(table, 2) if c.lower() in group), c if c in {*"0123456789"} else "0" * (c == " ")) for c in text
        )

    return to_keypad


to_keypad = _make()
