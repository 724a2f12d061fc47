class _Checker:
    def __init__(self, pairs):
        self.closing = {pair[1]: pair[0] for pair in pairs}

    def check(self, text: str) -> bool:
        stack = []
        for ch in text:
            if ch in self.closing:
                if not stack or stack.pop() != self.closing[ch]:
                    return False
            elif ch in self.closing.values():
                stack.append(ch)
        return not stack


_checker = _Checker(["()", "[]", "{}"])
is_balanced = _checker.check
