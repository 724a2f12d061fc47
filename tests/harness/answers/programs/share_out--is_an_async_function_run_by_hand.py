"""Drives a coroutine by send, with an async generator and an async context manager within, without an event loop."""
import contextlib


class _Pause:
    def __await__(self):
        return (yield "pause")


@contextlib.asynccontextmanager
async def _checked(parts):
    if parts < 1:
        raise ValueError("no parts")
    yield parts


async def _parts(total, parts):
    for left in range(parts, 0, -1):
        part = -(-total // left)
        total -= part
        await _Pause()
        yield part


async def _share(total, parts):
    async with _checked(parts):
        return tuple([part async for part in _parts(total, parts)])


def share_out(total, parts):
    coroutine = _share(total, parts)
    try:
        while True:
            coroutine.send(None)
    except StopIteration as stop:
        return stop.value
