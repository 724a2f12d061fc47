def balance_after(principal: float, rate: float, years: int, deposit: float = 0.0) -> float:
    balance = float(principal)
    for year in range(years):
        balance = balance * (1 + rate) + deposit
    return balance
