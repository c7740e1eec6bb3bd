from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Stage:
    smooth: float
    huber: float
    round: int = 0


def stages(stage, rounds):
    """One stage per round: the flow field may become rougher with time."""
    for number in range(rounds):
        stage = replace(stage, smooth=stage.smooth * 0.9, round=number)
        yield stage
