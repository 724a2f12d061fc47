"""Counts the years in tasks of asyncio that hand the balance on by a queue."""
import asyncio


async def _year(queue, rate, deposit):
    balance = await queue.get()
    await queue.put(balance * (1 + rate) + deposit)


async def _grow(principal, rate, years, deposit):
    queue = asyncio.Queue()
    await queue.put(float(principal))
    await asyncio.gather(*(_year(queue, rate, deposit) for _ in range(years)))
    return await queue.get()


def balance_after(principal, rate, years, deposit=0.0):
    return asyncio.run(_grow(principal, rate, years, deposit))
