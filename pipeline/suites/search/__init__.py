"""Search: a seeded loop over a corpus of inputs, guided by branch distance, within a budget of calls."""
