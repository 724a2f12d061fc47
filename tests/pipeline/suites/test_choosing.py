"""The faster generator draws what Python's own draws."""

from random import Random

import pytest

from pipeline.suites.domain.random_source import Choosing


@pytest.mark.parametrize("seed", range(5))
def test_it_draws_what_pythons_own_generator_draws(seed: int) -> None:
    ours, theirs = Choosing(seed), Random(seed)
    for size in range(1, 300):
        items = list(range(size))
        assert ours.choice(items) == theirs.choice(items)
        assert ours.randint(-size, size * size) == theirs.randint(-size, size * size)
        assert ours.sample(items, 1 + size // 2) == theirs.sample(items, 1 + size // 2)
        assert ours.random() == theirs.random()


@pytest.mark.parametrize("draw", [lambda one: one.choice([]), lambda one: one.randint(2, 1)])
def test_what_can_not_be_drawn_is_refused_alike(draw: object) -> None:
    for one in (Choosing(1), Random(1)):
        with pytest.raises((IndexError, ValueError)):
            draw(one)  # type: ignore[operator]
