import asyncio


async def _window(values, start, width):
    await asyncio.sleep(0)
    return sum(values[start:start + width]) / width


async def _smooth(values, width):
    return await asyncio.gather(*(_window(values, i, width) for i in range(len(values) - width + 1)))


def smooth(values: list[float], width: int) -> list[float]:
    if width < 1:
        raise ValueError(width)
    return asyncio.run(_smooth(values, width))
