def share_out(total: int, parts: int) -> tuple[int, ...]:
    if parts < 1:
        raise ValueError("no parts")
    return tuple((total + parts - 1 - i) // parts for i in range(parts))
