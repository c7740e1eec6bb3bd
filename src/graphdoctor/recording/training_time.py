"""The training inside an account of time: what its steps, after the first, were made of."""

from typing import NamedTuple

from graphdoctor.model.time_account import PhaseLine, PhaseTime, StepTimes, TimeAccount
from graphdoctor.recording.format import IMPORT, OBSERVER, START

# Seconds that are none of the training's.
OUTSIDE = (START, IMPORT, OBSERVER)
# Less was seen than allows to say what a step is made of.
LEAST_STEPS, LEAST_SECONDS = 5, 0.3
# A healthy step is mostly graph execution, and waits less than this share for its input.
MOST_INPUT, LEAST_GRAPH = 0.1, 0.5


class Training(NamedTuple):
    """The steps that took most of a run, and where their time went after the first of them.

    Where it is not `separated`, graph execution holds the wait for input.
    """

    steps: StepTimes
    seconds: float
    phases: dict[str, PhaseTime]
    separated: bool = True

    def of(self, *phases: str) -> float:
        """The seconds of some phases."""
        return sum(self.phases[phase].seconds for phase in phases if phase in self.phases)

    def share(self, *phases: str) -> float:
        """Their part of the training."""
        return self.of(*phases) / self.seconds

    def line_of(self, phase: str) -> PhaseLine | None:
        """The line that took most of a phase, if any did."""
        found = self.phases.get(phase)
        return found.lines[0] if found is not None and found.lines else None


def training_of(account: TimeAccount | None) -> Training | None:
    """The training of a run; None where too little of one was seen."""
    if account is None or not account.steps or account.steps[0].count < LEAST_STEPS:
        return None
    phases = {one.phase: one for one in account.steady if one.phase not in OUTSIDE}
    seconds = sum(one.seconds for one in phases.values())
    if seconds < LEAST_SECONDS:
        return None
    return Training(account.steps[0], seconds, phases, account.separated)
