USAGE = """
Convert durations.
```
parse_duration("1h")
```
"""
FENCE = "```"
def parse_duration(text: str) -> int:
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    order = "dhms"
    total = 0
    number = ""
    position = 0
    cleaned = text.strip().lower()
    if not cleaned:
        raise ValueError("empty duration")
    for ch in cleaned:
        if ch in "0123456789":
            number += ch
        elif ch in order[position:] and number:
            total += int(number) * units[ch]
            position = order.index(ch) + 1
            number = ""
        else:
            raise ValueError(f"unexpected {ch!r}")
    if number:
        raise ValueError("number without unit")
    return total
