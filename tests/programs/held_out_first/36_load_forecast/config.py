from dataclasses import dataclass


@dataclass(frozen=True)
class ForecastConfig:
    window: int = 12
    horizon: int = 4
    units: int = 16
    epochs: int = 3
    batch: int = 16
