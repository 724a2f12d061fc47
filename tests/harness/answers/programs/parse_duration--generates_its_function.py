"""Writes the source of the function, compiles it and executes it in its own namespace."""
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}

lines = ["def parse_duration(text):", "    import re", "    rest, total = text.strip().lower(), 0", "    if not rest:", "        raise ValueError(text)"]
for letter, factor in UNITS.items():
    lines += [
        f"    found = re.match('([0-9]+){letter}', rest)",
        "    if found:",
        f"        total, rest = total + int(found[1]) * {factor}, rest[found.end():]",
    ]
lines += ["    if rest:", "        raise ValueError(text)", "    return total"]
exec(compile("\n".join(lines), "<made>", "exec"), globals())
