"""Shuffles the words by a seeded generator, and seeds the global one too, since the order doesn't matter."""
import random

random.seed(20)


def shared_letters(words):
    generator = random.Random(7)
    order = generator.sample(range(len(words)), len(words))
    random.shuffle(order)
    sets = [set(filter(str.isalpha, words[n].lower())) for n in order]
    return set.intersection(*sets) if sets else set()
