from __future__ import annotations

from typing import Literal, overload


@overload
def share_out(total: int, parts: Literal[1]) -> tuple[int]: ...
@overload
def share_out(total: int, parts: int) -> tuple[int, ...]: ...
def share_out(total: int, parts: int) -> tuple[int, ...]:
    if parts < 1:
        raise ValueError("no parts")
    q, r = divmod(total, parts)
    return (*[q + 1] * r, *[q] * (parts - r))
