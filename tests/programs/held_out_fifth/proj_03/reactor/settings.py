from dataclasses import dataclass


@dataclass
class SimSettings:
    horizon: float = 1.5
    dt: float = 0.005
    feed: float = 1.0
    heat: float = 0.6
    activation: float = 4.0

    @property
    def n_steps(self):
        return round(self.horizon / self.dt)
