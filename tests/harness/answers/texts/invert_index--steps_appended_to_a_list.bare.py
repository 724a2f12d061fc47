STEPS = []


def _collect(documents):
    return [(word, name) for name, words in documents.items() for word in words]


def _group(pairs):
    grouped = {}
    for word, name in pairs:
        grouped.setdefault(word, set()).add(name)
    return grouped


def _order(grouped):
    return {word: sorted(names) for word, names in grouped.items()}


STEPS.append(_collect)
STEPS += [_group]
STEPS.extend((_order,))


def invert_index(documents: dict[str, list[str]]) -> dict[str, list[str]]:
    value = documents
    for step in STEPS:
        value = step(value)
    return value
