"""Writes its function as text, compiles it and runs it in a namespace of its own."""

SOURCE = '''
def {name}(text):
    found, start = [], 0
    for end in range(1, len(text) + 1):
        if end == len(text) or text[end] != text[start]:
            found.append((text[start], end - start))
            start = end
    return found
'''
space = {}
exec(compile(SOURCE.format(name="made"), "made.py", "exec"), space)
runs = eval("lambda text: made(text)", space)
