import random


class Draws:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def options(self):
        return {"crop": self.random.randint(1, 7), "flip": self.random.random() < 0.5}
