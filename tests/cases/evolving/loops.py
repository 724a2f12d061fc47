# calls: ([1, 2, 3],) ([],)
# sites: S1=1 S6=2 S8=1 S10=1 S11=1
def plain(xs):
    total = 0
    for x in xs:
        total += x
    return total


# calls: ([1, 2, 3], 2) ([], 1)
# sites: S1=1 S2=1 S8=1 A1=1 A2=1 A5=1
def with_else(xs, stop):
    for x in xs:
        if x == stop:
            break
    else:
        return "none"
    return x


# calls: ([[1], [2, 3]],)
# sites: S1=2 S2=1 S6=3 S8=1 S11=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1
def two(rows):
    found = []
    for row in rows:
        for x in row:
            if x == 2:
                continue
            found.append(x)
    return found


# calls: ([[1], [2]], 2)
# sites: S1=1 S2=1 S8=1
def an_else_that_leaves_the_loop_around(rows, stop):
    for row in rows:
        for x in row:
            if x == stop:
                break
        else:
            continue
        return row
    return None


# calls: ([1, 2],)
# sites: S4=1 S8=1
def a_comprehension(xs):
    return [x for x in xs]


# calls: (3,)
# sites: S3=1 S6=1 S8=1 S10=1
def a_while(n):
    while n:
        n -= 1
    return n


# calls: ([1, 2],)
# sites: S8=1
def a_loop_in_a_class(xs):
    class Box:
        items = []
        for x in xs:
            items.append(x)

    return Box.items


# calls: ([1, 2],)
# sites: S4=1 S8=1
def a_generator_expression(xs):
    return sum(x for x in xs)


# calls: ([3, 1],)
# sites: S4=1 S8=1 S9=1
def a_call(xs):
    return sorted(xs)


# calls: (2,)
# sites: S6=1 S8=1
def calls_itself(n):
    return 1 if n < 1 else calls_itself(n - 1)


# calls: ([[1], []],)
# sites: S1=1 S6=1 S8=1 S11=1
def an_else_that_goes_on(rows):
    for row in rows:
        for x in row:
            break
        else:
            continue
        rows = []
    return rows


# calls: ([1],)
# sites: S8=1
def a_lambda(xs):
    return (lambda *items: items)(*xs)
