import re
from typing import NewType

Seconds = NewType("Seconds", int)
Text = str


def parse_duration(text: Text) -> Seconds:
    m = re.fullmatch(r"(\d+d)?(\d+h)?(\d+m)?(\d+s)?", text.strip(), re.I | re.A)
    if not m or not m[0]:
        raise ValueError(text)
    scale = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
    return Seconds(sum(int(g[:-1]) * scale[g[-1].lower()] for g in m.groups() if g))
