PAIRS = {"(": ")", "[": "]", "{": "}"}


class Stack:
    def __init__(self):
        self.items = []

    def push(self, item):
        self.items.append(item)

    def pop(self):
        return self.items.pop() if self.items else None


def step(stack, ch):
    if ch in PAIRS:
        stack.push(PAIRS[ch])
    elif ch in PAIRS.values():
        return stack.pop() == ch
    return True


def is_balanced(text: str) -> bool:
    stack = Stack()
    return all(step(stack, ch) for ch in text) and not stack.items
