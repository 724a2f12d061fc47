def flatten_list(nested): return [leaf for item in nested for leaf in (flatten_list(item) if isinstance(item, (list, tuple)) else [item])]
