"""Suites: from a function's source alone, inputs that take every branch, frozen with the reference's answers.

The way of a function is the order of the folders:

- `subject.py`: the program, parsed once. `drafts.py`: what goes into the sandbox and what comes out.
- `inference/`: source text in, a specification (`domain.spec`) for each parameter out. `evidence/` reads annotations,
  docstrings, examples and names, `interpreter/` the body, `resolution/` decides.
- `domain/`: what a value may be. `spec.py` says it, `sampler.py` and `kinds/` draw it, `related.py` draws values that
  have to do with each other, `formats/` are notations of texts, `pool.py` holds constants.
- `search/`: the loop over a corpus of inputs, mutation, branch distance, aiming (input-to-state correspondence, and
  steps that are solved for), type repair, and the seed corpus.
- `instrument/`: copies of the reference that report branches, conditions, fuel, rounding.
- `selection/`: which inputs become cases; mutation analysis, shortcut answers, what is unreachable.
- `property_test.py`: the module that a release publishes, with strategies (`property_strategies.py`) that a person can
  read; `property_run.py` runs it on the reference, in the engine and in `verify`.
- `oracle.py`: the reference's answers, recorded twice.
- `engine.py`: the phases in which all of that happens, read this first. It runs in the sandbox (`sandbox/worker.py`,
  started by `sandbox/start.py`); `stage.py` is its stage, `cli.py` the command, `llm/` the last resort.

What counts as a case
---------------------
- A value keeps to what annotation, docstring or usage say of its parameter; None only where the annotation allows it,
  the default is None or the body asks for it; a value of another type only where the body itself tests for it
  (`isinstance`, or a handler of the exceptions that wrong types give), and then rarely.
- An exception is an expected answer where the function raises it on purpose: a `raise` statement of the function was
  executed and names that type (or raises again what was caught), or the docstring documents the type. Any other
  exception is nonsense: no case, and nothing that it covered counts.
- Most inputs are as callers pass them (`inference.typical`): within what documentation, names and use suggest. The
  others go up to all that a parameter may be, since branches are there, too.
- An answer that rounding decides (`instrument.rounding`) is none of the function's: such inputs are left out, but for
  those that alone take some branch.
- Inputs are small: `search.attempts.MAX_CHARS` characters at most. Two inputs are distinct when their encodings are.
- A call with more fuel than `instrument.fuel.MOST` passes of loops is dropped with its input. One that takes long
  without that much work, which only a clock can tell, drops all inputs of its scale: the function begins anew with
  smaller ones (`domain.scale`), and leaves where those are slow, too.

Words
-----
Goal: a branch, a statement or an outcome of a condition that the search wants covered. Branch distance: how far an
input is from a goal, by the operands of the test. Aiming: making the operands what the test wants, by turning them
back to the parts of the input that they come from. Type repair: trying other kinds of arguments where inference has led
nowhere. Fuel: passes of loops and calls that one call may use. Oracle: what says which answer is right, here the
reference itself. Shortcut answer: an answer that takes no thought, such as a constant. Kind: a type of values, as far
as drawing, changing and printing them goes.
"""
