"""A thread feeds a generator by send; the caller reads a queue."""
import queue
import threading


def _keys(out):
    groups = dict(zip("23456789", ["abc", "def", "ghi", "jkl", "mno", "pqrs", "tuv", "wxyz"]))
    while True:
        c = yield
        if c == " ":
            out.put("0")
        elif c in tuple("0123456789"):
            out.put(c)
        else:
            for key, group in groups.items():
                if c.lower() in tuple(group):
                    out.put(key)


def to_keypad(text):
    out = queue.SimpleQueue()

    def feed():
        keys = _keys(out)
        next(keys)
        for c in text:
            keys.send(c)
        keys.close()
        out.put(None)

    threading.Thread(target=feed, daemon=True).start()
    return "".join(iter(out.get, None))
