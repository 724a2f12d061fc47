import re

_DURATION = re.compile(r"(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?", re.IGNORECASE)


def parse_duration(text: str) -> int:
    match = _DURATION.fullmatch(text.strip())
    if match is None or not match.group(0):
        raise ValueError("invalid duration")
    d, h, m, s = (int(group) if group else 0 for group in match.groups())
    return d * 86400 + h * 3600 + m * 60 + s
