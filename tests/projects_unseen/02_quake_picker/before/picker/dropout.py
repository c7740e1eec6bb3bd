import random


class ComponentLoss:
    """Decides which components of the sensor are missing in a batch."""

    def __init__(self, rates, seed=0):
        self.rates = rates
        self.random = random.Random(seed)

    def draw(self):
        flags = tuple(self.random.random() >= rate for rate in self.rates.values())
        if not any(flags):
            return (True,) + flags[1:]
        return flags
