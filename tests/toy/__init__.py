"""A language that is as small as a language can be and still have functions, scopes, imports, branches and effects.

A text is words with white space between them; a line that begins with `#` speaks to people. Values are whole numbers.

| word | meaning |
|---|---|
| `12`, `-3` | puts a number on the stack |
| `a=` | defines `a` in the block around it, with the value on top of the stack, which it takes |
| `a` | puts the value of `a` on the stack; of a function, calls it with as many values as it has parameters |
| `{`, `}` | begin and end a block |
| `^a` | declares that `a` of this block is the file's |
| `*m` | takes over whatever the module `m` defines |
| `&m.a` | imports `a` of the module `m` |
| `@f a= b= { ... }` | defines the function `f` of two parameters |
| `if { ... } else { ... }` | takes a value; runs the first block unless it is 0, else the second, which may be left out |
| `return` | takes a value and leaves the function with it |
| `add`, `sub`, `mul`, `div` | take two values and give the sum, the difference, the product, the quotient |
| `less`, `same` | take two values and give 1 where the first is less, where they are equal, else 0 |
| `loop` | takes a value; never ends unless it is 0 |
| `print` | shows the value on top of the stack, and takes it |
| `now` | gives the time |

A function that ends without `return` gives 0. Division by zero, a name that nothing defines, an empty stack and recursion
without end fail. In the module `math` there are `max` and `min`.
"""
