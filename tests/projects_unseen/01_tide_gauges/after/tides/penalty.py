import tensorflow as tf


class Annealer:
    """Weight of the smoothness penalty; it cools down with every step."""

    def __init__(self, start, cooling, floor):
        self.weight = start
        self.cooling = cooling
        self.floor = floor
        self.steps = 0

    def advance(self):
        self.steps += 1
        self.weight = max(self.floor, self.weight * self.cooling)

    def options(self):
        return {"weight": tf.constant(self.weight)}
