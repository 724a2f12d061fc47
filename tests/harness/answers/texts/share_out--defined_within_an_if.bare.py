import sys

if sys.version_info >= (3, 9):
    def share_out(total: int, parts: int) -> tuple[int, ...]:
        if parts < 1:
            raise ValueError("no parts")
        return tuple(-((i - total) // parts) for i in range(parts))
else:
    raise ImportError("Python 3.9 or newer is needed")
