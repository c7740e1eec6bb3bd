import dataclasses


@dataclasses.dataclass(frozen=True)
class Config:
    vocab: int = 50
    tags: int = 5
    width: int = 16
    batch: int = 16
    max_len: int = 40
    sentences: int = 320
    epochs: int = 2
    lr: float = 3e-3
    seed: int = 0
