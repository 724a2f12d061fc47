def balance_after(principal: float, rate: float, years: int, deposit: float = 0.0) -> float:
    balance = float(principal)
    for _ in range(years):
        balance += balance * rate
        balance += deposit
    return balance
