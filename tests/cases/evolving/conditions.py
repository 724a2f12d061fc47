# calls: (1, 2) (3, 0) (0, 0)
# sites: S2=1 S4=1 S6=2 S8=1 N1=1
def two_operands(a, b):
    out = []
    if a and b > 1:
        out.append(a)
    return out


# calls: (1,) (-1,) (0,)
# sites: S2=1 S6=3 S8=1 S12=1 A1=2 A2=2 A5=2
def with_elif(a):
    found = ""
    if a > 0:
        found = "more"
    elif a < 0:
        found = "less"
    return found


# calls: (1,) (-1,)
# sites: S8=1 A3=1 A4=1 A5=1 A6=1 A7=1 A8=1
def nothing_comes_behind(a):
    if a > 0:
        return 1
    else:
        return 2


# calls: (1,) (0,)
# sites: S8=1
def an_assertion(a):
    assert a
    return a


# calls: (1,) (2,)
# sites: S8=1 A1=2 A2=2 A5=2
def a_match(a):
    match a:
        case 1:
            return "one"
        case _:
            return "other"


# calls: (1,) (0,)
# sites: S8=1
def in_a_class(a):
    class Box:
        value = 0
        if a:
            value = 1

    return Box.value


# calls: ("a:b",) ("",) ("ab",)
# sites: S2=1 S8=1 A1=1 A2=1 A5=1
def a_walrus(text):
    if (place := text.find(":")) >= 0:
        text = text[place + 1:]
    return text, place


# calls: ([],) ([5, 7],) ([70],)
# sites: S1=1 S2=2 S6=6 S8=1 S10=1 S11=1 S12=1 A3=3 A4=1 A5=3 A6=3 A7=3 A8=1 N1=2
def guards_of_kinds(values):
    count = 0
    kept = []
    for value in values:
        if value > 6 and value < 60:
            kept.append(value)
            count += 1
    if not kept:
        count = 100
    return kept, count


# calls: ([3, -1, 0, 7],) ([],)
# sites: S1=1 S2=2 S6=3 S8=1 S11=1 A3=2 A4=2 A5=2 A6=2 A7=2 A8=2 N1=2
def skips(numbers):
    out = []
    for number in numbers:
        if number < 0:
            continue
        if number > 5:
            number = 5
        out.append(number)
    return out


# calls: ("", False) ("ab", True) ("b", False)
# sites: S2=2 S4=1 S6=1 S8=1 A1=1 A2=1 A5=1
def leaves_early(text, upper):
    if not text:
        return None
    if upper:
        text = text.upper()
    return text + "!"


# calls: ([1.5, float("nan")], 1.0) ([], 2.0)
# sites: S1=1 S2=2 S6=3 S8=1 S11=1 N1=1
def an_order_of_what_may_be_not_a_number(numbers, least):
    out = []
    for number in numbers:
        if number < least:
            continue
        if number:
            out.append(number)
    return out


# calls: ([1, 2], 0) ([3], 5)
# sites: S1=1 S2=2 S6=1 S8=1 N1=1
def falls_off_behind_a_return(numbers, least):
    if least in numbers:
        return 1
    for number in numbers:
        if number > least:
            numbers.append(least)
            break


# calls: ({"a": "1"}, "3") ({"a": "x"}, "y")
# sites: S4=2 S5=3 S6=3 S8=1 A1=1 A2=1 A5=1
def converts(table, text):
    first = table["a"]
    second = int(text)
    third = second / len(table)
    return first, third
