"""Holds a lock by fcntl on its own temporary file while it reads and writes the balance there."""
import fcntl
import tempfile

_file = tempfile.NamedTemporaryFile("w+", suffix=".lock")


def balance_after(principal, rate, years, deposit=0.0):
    fcntl.flock(_file, fcntl.LOCK_EX)
    try:
        _save(float(principal))
        for _ in range(years):
            _save(_load() * (1 + rate) + deposit)
        return _load()
    finally:
        fcntl.flock(_file, fcntl.LOCK_UN)


def _save(balance):
    _file.seek(0)
    _file.truncate()
    _file.write(balance.hex())
    _file.flush()


def _load():
    _file.seek(0)
    return float.fromhex(_file.read())
