"""Internet addresses: those of the kinds that programs tell apart, those of networks that the body names, spellings."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from random import Random

from pipeline.suites.domain.pool import Pool

Network = ipaddress.IPv4Network | ipaddress.IPv6Network

ADDRESSES = {
    4: ("127.0.0.1", "10.0.0.1", "192.168.1.10", "172.16.0.1", "8.8.8.8", "93.184.216.34", "169.254.0.1", "224.0.0.1",
        "0.0.0.0", "255.255.255.255", "100.64.0.1", "192.0.2.1"),
    6: ("::1", "::", "::ffff:192.168.1.10", "::ffff:8.8.8.8", "2001:db8::1", "2606:4700:4700::1111", "fe80::1",
        "fe80::1%eth0", "fd00::1", "ff02::1", "2002:c000:204::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"),
}  # fmt: skip
"""Addresses of the kinds that programs tell apart: of this machine, private, public, mapped, local to a link."""
NETWORKS = {
    4: ("10.0.0.0/8", "192.168.1.0/24", "0.0.0.0/0", "127.0.0.0/8", "8.8.8.0/24", "10.1.2.3/32", "203.0.113.0/29"),
    6: ("::/0", "2001:db8::/32", "fe80::/10", "fd00::/8", "::1/128", "2001:db8:0:1::/64", "2001:db8::/125"),
}  # fmt: skip


def named(pool: Pool, version: int | None = None) -> list[Network]:
    """The networks, and the addresses as networks of one, that the body names."""
    found = [known for text in pool.texts if (known := _read(text)) is not None]
    return [known for known in found if version in (None, known.version)]


@lru_cache(maxsize=1024)
def _read(text: str) -> Network | None:
    if "." not in text and ":" not in text:
        return None
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def inside(network: Network, rng: Random) -> str:
    """An address of the network, or, now and then, the one before or behind it."""
    first, last = int(network.network_address), int(network.broadcast_address)
    roll = rng.random()
    within = rng.choice((first, last, rng.randint(first, last)))
    number = first - 1 if roll < 0.05 else last + 1 if roll < 0.1 else within
    number = min(max(number, 0), 2**network.max_prefixlen - 1)
    return str(ipaddress.IPv4Address(number) if network.version == 4 else ipaddress.IPv6Address(number))


def address(rng: Random, pool: Pool | None = None) -> str:
    """An address as a text: inside a network of the body, of a known kind, any one, or spelt as one number."""
    known = named(pool) if pool is not None else []
    if known and rng.random() < 0.5:
        return inside(rng.choice(known), rng)
    roll = rng.random()
    if roll < 0.15:
        return rng.choice(ADDRESSES[6])
    if roll < 0.35:
        return rng.choice(ADDRESSES[4])
    if roll < 0.45:
        return _spelt(rng)
    return ".".join(str(rng.choice((0, 1, 10, 127, 192, 255, rng.randint(0, 300)))) for _ in range(4))


def _spelt(rng: Random) -> str:
    """An address in one of the spellings that the sockets of most systems accept too."""
    number = int(ipaddress.IPv4Address(rng.choice(ADDRESSES[4])))
    high, low = number >> 24, number & 0xFFFFFF
    octal = f"0{high:o}.{low >> 16}.{low >> 8 & 255}.{low & 255}"
    return rng.choice((hex(number), str(number), f"{high}.{low}", octal))


def network(rng: Random) -> str:
    """A network as a text."""
    if rng.random() < 0.25:
        return rng.choice(NETWORKS[rng.choice((4, 4, 6))])
    return f"10.{rng.randint(0, 255)}.0.0/{rng.choice((8, 16, 24, 32))}"
