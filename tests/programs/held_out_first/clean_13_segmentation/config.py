from dataclasses import dataclass


@dataclass(frozen=True)
class Config:
    size: int = 16
    batch: int = 8
    epochs: int = 2
    examples: int = 40
    filters: tuple = (4, 8)
    rate: float = 5e-3
