def invert_index(documents: dict[str, list[str]]) -> dict[str, list[str]]:
    """Invert the index.

    Example:

    ```python
    invert_index({"a": ["x"]})
    ```

    gives

    ```
    {"x": ["a"]}
    ```
    """
    result: dict[str, list[str]] = {}
    for name in sorted(documents):
        for word in dict.fromkeys(documents[name]):
            result.setdefault(word, []).append(name)
    return result
