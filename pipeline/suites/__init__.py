"""Suites: from a function's source alone, inputs that take every branch, frozen with the reference's answers.

The way of a function: `infer` says what its parameters are (one `types.Spec` each), `samplers` and `mutations` make
values of them, `search` keeps those that take new branches, `branches` gives coverage.py's verdict, all of that inside
the sandbox (`worker`); `answers` records what the reference says, `stage` turns it into a `Suite` or a reason.

What counts as a case
---------------------
- A value keeps to what annotation, docstring or usage say of its parameter; None only where the annotation allows it,
  the default is None or the body asks for it; a value of another type only where the body itself tests for it
  (`isinstance`, or a handler of the exceptions that wrong types give), and then rarely.
- An exception is an expected answer where the function raises it on purpose: a `raise` statement of the function was
  executed and names that type (or raises again what was caught), or the docstring documents the type. Any other
  exception is nonsense: no case, and nothing that it covered counts.
- Most inputs are as callers pass them (`ordinary`): within what documentation, names and use suggest. The others go up
  to all that a parameter may be, since branches are there, too.
- An answer that rounding decides (`rounding`) is none of the function's: such inputs are left out, but for those that
  alone take some branch.
- Inputs are small: `search.MAX_NODES` values and `search.MAX_CHARS` characters at most. Two inputs are distinct when
  their encodings are. Simple ones come first.
- A call with more than `passes.MOST` passes of loops is dropped with its input. One that takes long without that much
  work, which only a clock can tell, drops all inputs of its scale: the function begins anew with smaller ones
  (`scales`), and leaves where those are slow, too.
"""
