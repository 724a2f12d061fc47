try:
    from fast_flatten import flatten_list
except ImportError:
    def flatten_list(nested: list) -> list:
        flat = []
        for item in nested:
            flat += flatten_list(item) if isinstance(item, (list, tuple)) else [item]
        return flat
