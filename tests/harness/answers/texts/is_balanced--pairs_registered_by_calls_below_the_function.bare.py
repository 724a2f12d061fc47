_pairs = {}


def _register(opening, closing):
    _pairs[closing] = opening


_register("(", ")")
_register("[", "]")
_register("{", "}")


def is_balanced(text: str) -> bool:
    stack = []
    openings = set(_pairs.values())
    for ch in text:
        if ch in openings:
            stack.append(ch)
        elif ch in _pairs and (not stack or stack.pop() != _pairs[ch]):
            return False
    return len(stack) == 0
