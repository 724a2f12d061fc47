# calls: ([1, 2],) ([],)
# sites: S6=1 S8=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1 N1=1
def a_list_that_is_shared(values):
    out = values
    out += [30]
    return out, values


# calls: (1, 2) (2**70, 1)
# sites: S4=1 S6=1 S8=1
def large_numbers(a, b):
    return max(a, b) + abs(a)


# calls: ([1.5, 0.1, 0.2],) ([],)
# sites: S4=1 S6=1 S8=1 S9=1
def floating_sums(values):
    return sum(values), len(values)


# calls: ([float("nan"), 1.0],)
# sites: S4=1 S6=1 S8=1
def not_a_number(values):
    return max(values), min(values), sorted(values)


# calls: ([],) ([3, 4],)
# sites: S4=1 S8=1
def empty_where_one_fails(values):
    return max(values)


# calls: ([3, 1],) ([2],)
# sites: S4=1 S6=1 S8=1 S9=6
def whole_numbers(values):
    return max(values), min(values), sum(values), sorted(values), len(values), abs(values[0])


# calls: ([True, False],) ([],)
# sites: S4=1 S6=1 S8=1
def truths(values):
    return any(values), all(values)


# calls: ([True, 3],)
# sites: S4=1 S6=1 S8=1
def truths_among_numbers(values):
    return max(values), sum(values)


# calls: (("a", "b"),) ((),)
# sites: S1=1 S6=2 S8=1 S10=1 S11=1 N1=2
def a_tuple_grows(values):
    out = ()
    for value in values:
        out += (value,)
    return out


# calls: ("ab",) ("",)
# sites: S1=1 S6=3 S8=1 S10=1 S11=1 A1=1 A2=1 A5=1 N1=1
def a_text_grows(text):
    out = ""
    for letter in text:
        out += letter.upper() + "--"
    return out


# calls: (5,) (0,)
# sites: S2=1 S3=1 S6=2 S8=1 S10=1 S12=1 A3=2 A4=2 A5=2 A6=2 A7=2 A8=2 N1=1
def a_deep_one(n):
    depth = 0
    while depth < n:
        depth += 1
        if depth > 3:
            break
    else:
        depth = 40
    return depth


# calls: ({"a": 1},) ({},)
# sites: S6=1 S8=1 A1=1 A2=1 A3=2 A4=1 A5=3 A6=2 A7=2 A8=1
def a_key_that_is_missing(table):
    try:
        found = table["a"] + 50
    except KeyError:
        found = 60
    return found


# calls: (250,)
# sites: S1=1 S6=2 S8=1 S10=1 S12=1 N1=1
def many_passes(n):
    total = 0
    for i in range(n):
        total += i
    return total


# calls: ("a\nb",) ("",)
# sites: S4=3 S6=2 S8=1 A1=1 A2=1
def documented(text):
    """A text that holds 30 things, such as "keys"."""
    lines = text.split("\n")
    kept = [line.strip() for line in lines if line]
    return f"{len(kept):>{12}}", kept


# calls: (ValueError, 1) (KeyError, 0)
# sites: S2=1 S4=1 S5=1 S6=3 S8=1 A1=2 A2=2 A3=1 A4=1 A5=2 A6=1 A7=1 A8=1
def exceptions(kind, n):
    if n:
        raise kind("no such value: " + str(n * 33))
    return int("12") // n
