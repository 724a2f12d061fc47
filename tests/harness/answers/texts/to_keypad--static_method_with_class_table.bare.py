class Keypad:
    TABLE = {ch: key for key, group in zip("23456789", "abc def ghi jkl mno pqrs tuv wxyz".split()) for ch in group}
    DIGITS = "0123456789"

    @staticmethod
    def to_keypad(text: str) -> str:
        digits = []
        for ch in text:
            if ch == " ":
                digits.append("0")
            elif ch in Keypad.DIGITS:
                digits.append(ch)
            else:
                digits.append(Keypad.TABLE.get(ch.lower(), ""))
        return "".join(digits)


to_keypad = Keypad.to_keypad
