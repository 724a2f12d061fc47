shared_letters = lambda words: set.intersection(*[{c for c in w.lower() if c.isalpha()} for w in words]) if words else set()
