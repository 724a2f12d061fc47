"""Starts a thread that is no daemon and sleeps on, and another that waits for ever, at import and in calls."""
import threading
import time

_never = threading.Event()
threading.Thread(target=_never.wait, daemon=True).start()


def share_out(total, parts):
    threading.Thread(target=time.sleep, args=(0.3,)).start()
    if parts < 1:
        raise ValueError("no parts")
    shares = []
    while parts:
        shares.append(-(-total // parts))
        total, parts = total - shares[-1], parts - 1
    return tuple(shares)
