# calls: (1, 2) (3, 0) (0, 0)
# sites: S2=1 S4=1 S5=1 S6=2 S8=1 N1=1
def two_operands(a, b):
    out = []
    if a and b > 1:
        out.append(a)
    return out


# calls: (1,) (-1,) (0,)
# sites: S2=1 S5=1 S6=3 S8=1 S12=1 A1=2 A2=2 A5=2 N1=1
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
# sites: S5=1 S8=1
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
# sites: S5=1 S8=1
def in_a_class(a):
    class Box:
        value = 0
        if a:
            value = 1

    return Box.value


# calls: ("a:b",) ("",) ("ab",)
# sites: S2=1 S5=1 S8=1 A1=1 A2=1 A5=1 N1=1
def a_walrus(text):
    if (place := text.find(":")) >= 0:
        text = text[place + 1:]
    return text, place


# calls: ([],) ([5, 7],) ([70],)
# sites: S1=1 S2=2 S5=1 S6=6 S8=1 S10=1 S11=1 S12=1 A3=3 A4=1 A5=3 A6=3 A7=3 A8=1 N1=3
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
