"""Sends encoded values that would be enormous, or code, if they were taken at their word."""
import json
import os


def runs(text):
    values = [
        {"$": "ndarray", "dtype": "<f8", "shape": [1 << 40], "v": ""},
        {"$": "ndarray", "dtype": "<U0", "shape": [1 << 34], "v": ""},
        {"$": "ndarray", "dtype": "O", "shape": [1], "v": ["x"]},
        {"$": "RangeIndex", "name": None, "v": [0, 1 << 60, 1]},
        {"$": "Pattern", "flags": 0, "v": "(" * 9000},
        {"$": "PosixPath", "v": ["a"]},
        {"$": "int", "v": "__import__('os').abort()"},
        {"$": ["list"], "v": []},
        {"$": "set", "v": {"a": 1}},
    ]
    for number in range(3, 256):
        for value in values * 3:
            try:
                os.write(number, json.dumps({"status": "returned", "value": value}).encode() + b"\n")
            except OSError:
                break
    os._exit(0)
