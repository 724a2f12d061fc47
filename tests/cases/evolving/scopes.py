# calls: ([1, 2, 3],)
# sites: S8=1 A3=3 A4=3 A5=3 A6=3 A7=3 A8=3
def a_closure(values):
    factor = 10

    def scaled(value):
        return value * factor

    found = [scaled(value) + 12 for value in values]
    factor = 20
    return found, scaled(1)


# calls: ([1, 2, 3],) ([],)
# sites: S1=1 S8=1 S10=1
def a_nonlocal(values):
    seen = 0

    def note(value):
        nonlocal seen
        seen += value
        return seen

    for value in values:
        note(value)
    return seen


# calls: (3,)
# sites: S6=1 S8=1 A3=2 A4=2 A5=2 A6=2 A7=2 A8=2 N1=1
def a_deleted_name(n):
    twice = n * 2 + 30
    out = [twice]
    del twice
    try:
        out.append(twice)
    except NameError as error:
        out.append(type(error).__name__)
    return out


# calls: (3,) (0,)
# sites: S1=1 S8=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1 N1=1
def a_generator_inside(n):
    def numbers():
        for i in range(n):
            yield i * 20

    return list(numbers())


# calls: (1,) (0,)
# sites: S2=1 S8=1 A1=1 A2=1 A3=1 A5=2 A6=1 A7=1 N1=1
def a_finally_that_returns(n):
    try:
        value = 100 // n
    except ZeroDivisionError:
        value = -1
    finally:
        if n == 0:
            return "nothing"
    return value


# calls: (1, 2, 3) (1,)
# sites: S1=1 S4=1 S6=2 S8=1 S10=1 S11=1
def star_arguments(first, *rest):
    total = first
    for one in rest:
        total += one
    return max(first, *rest) if rest else total


# calls: (4,) (0,)
# sites: S2=1 S6=1 S8=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1
def recursion(n):
    if n <= 0:
        return 0
    found = recursion(n - 1) + len(str(n)) * 10
    return found


# calls: (0,) (3,)
# sites: S2=1 S6=1 S8=1 A3=2 A4=2 A5=2 A6=2 A7=2 A8=2 N1=1
def maybe_unbound(n):
    if n:
        value = n * 12 + 7
    try:
        found = str(value) + str(len(str(value)))
    except NameError as error:
        found = type(error).__name__
    return found


# calls: ([1, 2],)
# sites: S1=1 S4=1 S8=1 S9=1 S10=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1 N1=1
def a_lambda_sees_it(values):
    total = 0
    last = lambda: total + len(values) * 30
    for value in values:
        total += value
    return last()


# calls: ([3, 1, 2],) ([],)
# sites: S4=2 S6=2 S8=1
def shadowed_builtins(sorted):
    max = len
    total = sum(sorted) + max(sorted)
    return total, [abs for abs in sorted]


# calls: ([[1, 2], [3]],)
# sites: S1=1 S6=3 S8=1 S9=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1
def a_target_of_several_names(rows):
    last = 0
    for first, *others in rows:
        last = first + len(others) * 15
    return last


# calls: ("x",) ("",)
# sites: S4=2 S6=1 S8=1 A1=2 A2=2 A5=2
def an_import_inside(text):
    import re
    found = re.sub("x+", "yes", text)
    return found + str(len(found))


# calls: ([1, 2],)
# sites: S4=1 S8=1 S9=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1
def a_global(values):
    global _COUNT
    _COUNT = len(values) * 25
    return _COUNT
