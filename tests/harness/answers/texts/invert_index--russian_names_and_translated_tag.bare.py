def invert_index(documents: dict[str, list[str]]) -> dict[str, list[str]]:
    индекс = {}
    for имя, слова in documents.items():  # перебираем документы
        for слово in слова:
            индекс.setdefault(слово, set()).add(имя)
    return {слово: sorted(имена) for слово, имена in индекс.items()}
