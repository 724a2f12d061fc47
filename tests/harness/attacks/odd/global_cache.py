"""Keeps its answers in a module-level cache and counts its calls."""
CACHE: dict = {}
CALLS = 0


def runs(text):
    global CALLS
    CALLS += 1
    if text not in CACHE:
        found = []
        for character in text:
            if found and found[-1][0] == character:
                found[-1][1] += 1
            else:
                found.append([character, 1])
        CACHE[text] = [(character, count) for character, count in found]
    return list(CACHE[text])
