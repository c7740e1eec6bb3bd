class Profile:
    """How curves are normalised for one roast."""

    def __init__(self, charge, spread):
        self.charge = charge
        self.spread = spread

    def normalise(self, drum):
        return (drum - self.charge) / self.spread

    def target(self, bean):
        return bean / self.charge


class RoastPlan:
    def __init__(self, roasts, charge=190.0, spread=15.0):
        self.roasts = roasts
        self.charge = charge
        self.spread = spread

    def profiles(self):
        profile = Profile(self.charge, self.spread)
        for _ in range(self.roasts):
            yield profile
