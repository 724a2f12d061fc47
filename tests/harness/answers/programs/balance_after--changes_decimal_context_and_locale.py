"""Sets the decimal context of the thread and the locale, and reads its numbers by the latter."""
import decimal
import locale

locale.setlocale(locale.LC_ALL, "C")
decimal.setcontext(decimal.Context(prec=60, rounding=decimal.ROUND_HALF_EVEN, traps=[decimal.InvalidOperation]))


def balance_after(principal, rate, years, deposit=0.0):
    decimal.getcontext().prec += 1
    balance, rate, deposit = (decimal.Decimal(value) for value in (principal, rate, deposit))
    for _ in range(years):
        balance = balance + balance * rate + deposit
    return locale.atof(str(balance))
