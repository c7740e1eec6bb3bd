import keras


class SkyLevel:
    """A sky background of another level for every patch."""

    def __init__(self, level):
        self.level = level
        self.seeds = keras.random.SeedGenerator(12)

    def add(self, patch):
        offset = self.level * keras.random.uniform((), seed=self.seeds)
        return patch + offset
