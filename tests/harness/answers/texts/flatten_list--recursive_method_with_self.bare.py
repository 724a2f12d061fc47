from typing import List


class Solution:
    def __init__(self):
        self.kinds = (list, tuple)

    def flatten_list(self, nested: List) -> List:
        flat = []
        for item in nested:
            flat += self.flatten_list(item) if isinstance(item, self.kinds) else [item]
        return flat


def flatten_list(nested):
    return Solution().flatten_list(nested)
