from dataclasses import replace

from .config import HParams


class PhaseSchedule:
    """Warm-up uses a soft target; the main phase uses the base settings."""

    def __init__(self, base, warmup_steps=6):
        self.base = base
        self.warmup_steps = warmup_steps

    def hparams(self, step):
        if step < self.warmup_steps:
            return replace(self.base, temperature=2.0, label_smoothing=0.1)
        return replace(self.base)


def default_schedule():
    return PhaseSchedule(HParams())
