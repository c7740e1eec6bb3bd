from dataclasses import dataclass


@dataclass(frozen=True)
class HParams:
    temperature: float = 1.0
    label_smoothing: float = 0.0
    l2: float = 1e-4
