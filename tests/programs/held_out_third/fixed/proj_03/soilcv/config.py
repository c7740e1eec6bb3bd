from dataclasses import dataclass, field
from typing import Tuple


@dataclass
class CVConfig:
    folds: int = 4
    n_samples: int = 256
    bands: int = 30
    hidden: Tuple[int, ...] = field(default=(24, 12))
    lr: float = 3e-3
    epochs: int = 4
    batch: int = 32
    seed: int = 13
