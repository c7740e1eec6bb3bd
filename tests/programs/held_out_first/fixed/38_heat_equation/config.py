from dataclasses import dataclass


@dataclass
class Settings:
    diffusivity: float = 0.1
    units: int = 16
    points: int = 64
    steps: int = 15
    rate: float = 5e-3
