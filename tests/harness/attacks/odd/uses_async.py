"""Does its work in coroutines, in an event loop of its own."""
import asyncio


async def feed(text, queue):
    for character in text:
        await queue.put(character)
        await asyncio.sleep(0)
    await queue.put(None)


async def collect(text):
    queue: asyncio.Queue = asyncio.Queue(maxsize=1)
    feeding = asyncio.create_task(feed(text, queue))
    found = []
    while (character := await queue.get()) is not None:
        if found and found[-1][0] == character:
            found[-1] = (character, found[-1][1] + 1)
        else:
            found.append((character, 1))
    await feeding
    return found


def runs(text):
    return asyncio.run(collect(text))
