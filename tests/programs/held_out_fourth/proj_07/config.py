from dataclasses import dataclass


@dataclass
class Config:
    dim: int = 6
    embed: int = 8
    batch: int = 32
    epochs: int = 3
    size: int = 256
    lr: float = 0.01
    hot: float = 0.5
    cold: float = 0.1
