import dataclasses


@dataclasses.dataclass
class Config:
    classes: int = 4
    features: int = 5
    epochs: int = 4
    loss: str = "soft_f1"
    rate: float = 0.02
