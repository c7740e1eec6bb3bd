from dataclasses import dataclass, field


@dataclass
class Settings:
    batches: int = 30
    batch_size: int = 8
    samples: int = 128
    noise: float = 0.2
    seed: int = 5
    # chance that a component (Z, N, E) of the sensor is lost
    loss_rate: dict = field(default_factory=lambda: {"z": 0.2, "n": 0.4, "e": 0.4})
