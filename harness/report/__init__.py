"""Ways of telling what came out of an evaluation; each module here has `render(evaluation) -> str`."""
