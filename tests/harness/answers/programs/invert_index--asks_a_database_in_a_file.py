"""Keeps the words in a sqlite3 database in a file of its own, with an aggregate written in Python."""
import json
import os
import sqlite3
import tempfile


class Names:
    def __init__(self):
        self.names = set()

    def step(self, name):
        self.names.add(name)

    def finalize(self):
        return json.dumps(sorted(self.names))


def invert_index(documents):
    handle, path = tempfile.mkstemp(suffix=".db")
    os.close(handle)
    connection = sqlite3.connect(path)
    try:
        connection.create_aggregate("names", 1, Names)
        with connection:
            connection.execute("CREATE TABLE place (word TEXT, name TEXT)")
            connection.executemany("INSERT INTO place VALUES (?, ?)", [(w, n) for n, ws in documents.items() for w in ws])
        return {word: json.loads(names) for word, names in connection.execute("SELECT word, names(name) FROM place GROUP BY word")}
    finally:
        connection.close()
        os.unlink(path)
