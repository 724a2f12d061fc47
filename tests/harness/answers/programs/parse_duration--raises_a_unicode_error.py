"""Raises a UnicodeDecodeError, which is a ValueError, from within a decoder."""
import re


def parse_duration(text):
    data = text.strip().lower().encode()
    found = re.fullmatch(rb"(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?", data)
    if not data or not found:
        raise UnicodeDecodeError("duration", data, 0, len(data), "unknown form")
    numbers = [int(part or b"0") for part in found.groups()]
    return sum(number * factor for number, factor in zip(numbers, (86400, 3600, 60, 1)))
