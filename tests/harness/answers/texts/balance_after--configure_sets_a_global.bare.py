import decimal

_context = None


def configure(digits=40):
    global _context
    _context = decimal.Context(prec=digits)


configure(digits=50)


def balance_after(principal: float, rate: float, years: int, deposit: float = 0.0) -> float:
    amount, factor, extra = map(decimal.Decimal, (principal, 1 + rate, deposit))
    for _ in range(years):
        amount = _context.add(_context.multiply(amount, factor), extra)
    return float(amount)
