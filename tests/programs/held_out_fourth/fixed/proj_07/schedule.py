import math


class Cosine:
    """Goes from `first` to `last` over `total` steps."""

    def __init__(self, first, last, total):
        self.first, self.last, self.total = first, last, total
        self.count = 0

    def next(self):
        part = min(self.count / self.total, 1.0)
        self.count += 1
        return self.last + 0.5 * (self.first - self.last) * (1.0 + math.cos(math.pi * part))
