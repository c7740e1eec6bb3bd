from dataclasses import dataclass


@dataclass
class FitConfig:
    steps: int = 24
    hours: int = 240
    smoothness: float = 0.5
    cooling: float = 0.93
    floor: float = 0.01
    learning_rate: float = 0.05
    seed: int = 11

    # periods in hours: M2, S2, K1, O1
    periods: tuple = (12.42, 12.0, 23.93, 25.82)
