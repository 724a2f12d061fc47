try:
    import regex as re
    FLAGS = re.V1 | re.IGNORECASE
except (ImportError, AttributeError):
    import re
    FLAGS = re.IGNORECASE

if FLAGS:
    PATTERN = re.compile(r"(?=.)" + "".join(rf"(?:([0-9]+){u})?" for u in "dhms"), FLAGS)
else:
    raise RuntimeError


def parse_duration(text: str) -> int:
    if not (found := PATTERN.fullmatch(text.strip())):
        raise ValueError(f"bad duration {text!r}")
    return sum(int(n) * f for n, f in zip(found.groups(), (86400, 3600, 60, 1)) if n)
