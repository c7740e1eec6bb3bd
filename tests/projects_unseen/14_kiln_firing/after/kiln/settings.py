from dataclasses import dataclass


@dataclass
class KilnSettings:
    steps: int = 25
    clip: float = 5.0
    patience: int = 3
    seed: int = 7
    learning_rate: float = 0.05
