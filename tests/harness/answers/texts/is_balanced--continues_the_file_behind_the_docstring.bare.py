def is_balanced(text: str) -> bool:
    stack = []
    for c in text:
        if c in "([{":
            stack.append(c)
        elif c in ")]}":
            if not stack:
                return False
            if "([{".index(stack.pop()) != ")]}".index(c):
                return False
    return not stack
