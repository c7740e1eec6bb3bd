import dataclasses


@dataclasses.dataclass
class Config:
    side: int = 10
    classes: int = 3
    filters: int = 4
    epochs: int = 6
    unfreeze_at: int = 2
    lr: float = 5e-3
    seed: int = 0
