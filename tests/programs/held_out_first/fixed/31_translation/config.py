"""Settings of the translation experiment."""
from dataclasses import dataclass


@dataclass
class Config:
    vocab: int = 20
    units: int = 16
    length: int = 5
    batch: int = 16
    epochs: int = 4
    steps: int = 5
    learning_rate: float = 5e-3
    label_smoothing: float = 0.3
    smoothing_decay: float = 0.3


cfg = Config()
