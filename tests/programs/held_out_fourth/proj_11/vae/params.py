from dataclasses import dataclass


@dataclass
class Params:
    latent: int = 2
    hidden: int = 16
    epochs: int = 5
    beta: float = 0.0
    beta_max: float = 4.0
    lr: float = 0.01


HP = Params()
