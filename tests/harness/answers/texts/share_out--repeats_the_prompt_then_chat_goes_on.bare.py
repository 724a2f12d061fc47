def share_out(total: int, parts: int) -> tuple[int, ...]:
    if parts < 1:
        raise ValueError("no parts")
    quotient, remainder = divmod(total, parts)
    result = [quotient] * parts
    for i in range(remainder):
        result[i] += 1
    return tuple(result)
