from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    levels: int = 11
    actions: int = 3
    gamma: float = 0.9
    lr: float = 3e-3
    tau: float = 0.05
    batch: int = 64
    capacity: int = 4000
    warmup: int = 200
    steps: int = 700
    seed: int = 4
