"""Sends a dataclass through pickle and copy before it reads its fields."""
import copy
import pickle
from dataclasses import astuple, dataclass, field


@dataclass(slots=True, order=True)
class Hand:
    coins: int = 0
    log: list = field(default_factory=list, compare=False)


def share_out(total, parts):
    if parts < 1:
        raise ValueError("no parts")
    hands = [Hand(total // parts) for _ in range(parts)]
    for hand in hands[: total % parts]:
        hand.coins += 1
        hand.log.append("one more")
    hands = copy.deepcopy(pickle.loads(pickle.dumps(hands)))
    return tuple(astuple(hand)[0] for hand in sorted(hands, reverse=True))
