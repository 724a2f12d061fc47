"""Turns the brackets into nested literals and lets eval and literal_eval say whether they are expressions."""
import ast


def is_balanced(text):
    code = "".join({"(": "[0,[", ")": "]],", "[": "(1,(", "]": ")),", "{": "{2:{3:(", "}": ")}},"}.get(c, "") for c in text)
    try:
        value = eval(f"[{code}]", {"__builtins__": {}})
        ast.literal_eval(repr(value))
    except (SyntaxError, TypeError):
        return False
    return True
