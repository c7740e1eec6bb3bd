from dataclasses import dataclass


@dataclass(frozen=True)
class Options:
    depots: int = 4
    steps: int = 15
    learning_rate: float = 0.05
    seed: int = 8
    tariffs: tuple = (1.0, 1.3, 0.8, 1.1, 0.9, 1.2)
