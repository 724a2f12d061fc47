"""Dependencies: which names a function needs from outside, and whether an allowed library gives them."""
