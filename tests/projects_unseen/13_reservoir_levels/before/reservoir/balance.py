from keras import ops


class Balance:
    """Water balance of one day."""

    def __init__(self, capacity, release):
        self.capacity = capacity
        self.release = release

    def day(self, level, inflow):
        level = level * (1.0 - self.release) + inflow
        if ops.max(level) > self.capacity:
            level = ops.minimum(level, self.capacity)
        return level, level
