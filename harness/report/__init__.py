"""Ways of telling what came out of an evaluation; `text` and `as_json` have `render(evaluation) -> str`."""
