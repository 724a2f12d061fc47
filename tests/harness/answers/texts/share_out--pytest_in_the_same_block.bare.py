def share_out(total: int, parts: int) -> tuple[int, ...]:
    if parts < 1:
        raise ValueError("no parts")
    base, extra = divmod(total, parts)
    return tuple(base + 1 if i < extra else base for i in range(parts))
