"""Returns an int where the balance is a whole number, since 1050 == 1050.0."""


def balance_after(principal, rate, years, deposit=0.0):
    balance = principal
    for _ in range(years):
        balance = balance * (1 + rate) + deposit
    return int(balance) if balance == int(balance) else balance
