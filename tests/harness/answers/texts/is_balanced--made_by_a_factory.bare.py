def _make(pairs):
    def is_balanced(text: str) -> bool:
        stack = []
        for ch in text:
            if ch in pairs:
                stack.append(pairs[ch])
            elif ch in pairs.values() and (not stack or stack.pop() != ch):
                return False
        return not stack

    return is_balanced


is_balanced = _make({"(": ")", "[": "]", "{": "}"})
