"""Settings of the point-cloud GAN."""
from dataclasses import dataclass, field


@dataclass
class TrainConfig:
    seed: int = 0
    latent: int = 8
    batch: int = 64
    steps_per_epoch: int = 20
    epochs: int = 3
    lr_g: float = 1e-3
    lr_d: float = 2e-3
    label_smoothing: float = 0.1
    widths: tuple = field(default=(32, 32))
