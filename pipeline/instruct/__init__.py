"""Instructions: the text that asks for a function, a stub with a docstring, and whether that text is enough.

In the order of the work: `examples` chooses cases that show the function and runs the author's own doctests; a writer
(`writers`: the author, or a language model) gives a draft (`drafts`); `checks` says what the draft leaves untold;
`sufficiency` has solvers implement the function from it; `wordings` says the same at other lengths and in other words.
`source` and `constants` alone look at a body's syntax: what they read is what another language has to provide.
"""
