from typing import NamedTuple


class AudioConfig(NamedTuple):
    rate: int = 2000
    win: int = 128
    hop: int = 64
    bands: int = 16
    min_seconds: float = 0.8
    max_seconds: float = 1.6


class TrainConfig(NamedTuple):
    batch: int = 8
    epochs: int = 4
    lr: float = 1e-2
