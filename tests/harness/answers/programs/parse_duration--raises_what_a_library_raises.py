"""Raises json.JSONDecodeError, a ValueError, by handing the text on to a parser."""
import json
import re


def parse_duration(text):
    pattern = r"(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?"
    as_json = re.sub(rf"^(?=.){pattern}$", lambda m: "[" + ",".join(str(int(g or 0)) for g in m.groups()) + "]", text.strip().lower())
    if not as_json.startswith("["):
        as_json = "not a duration"
    days, hours, minutes, seconds = json.loads(as_json)
    return seconds + 60 * (minutes + 60 * (hours + 24 * days))
