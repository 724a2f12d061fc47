"""Lets a database in memory do the counting."""
import sqlite3

QUERY = """
SELECT character, COUNT(*) FROM (
  SELECT place, character, place - ROW_NUMBER() OVER (PARTITION BY character ORDER BY place) AS run FROM letters
) GROUP BY character, run ORDER BY MIN(place)
"""


def runs(text):
    with sqlite3.connect(":memory:") as database:
        database.execute("CREATE TABLE letters (place INTEGER, character TEXT)")
        database.executemany("INSERT INTO letters VALUES (?, ?)", enumerate(text))
        return database.execute(QUERY).fetchall()
