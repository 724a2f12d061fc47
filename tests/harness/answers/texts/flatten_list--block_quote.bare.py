def flatten_list(nested: list) -> list:
    result = []
    for item in nested:
        if isinstance(item, (list, tuple)):
            result.extend(flatten_list(item))
        else:
            result.append(item)
    return result
