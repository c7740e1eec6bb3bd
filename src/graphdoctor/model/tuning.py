"""What `tune` measured: the variants of a training, and the best of them."""

import msgspec


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """One variant: what a step took in each run, after the first ones.

    `first_seconds` is what the first steps took more than later ones. `same`: it computes what the program as
    it is computes; None where that is not known, and `difference` says why, or what differs. `reason` says
    why it could not be measured. `pays_after` are the steps after which the first ones are paid for.
    """

    name: str
    step_seconds: tuple[float, ...] = ()
    first_seconds: float = 0.0
    factor: float | None = None
    same: bool | None = None
    difference: str = ""
    reason: str = ""
    pays_after: int | None = None

    @property
    def best_seconds(self) -> float:
        """The least of its runs: what other programs on the machine add is left out."""
        return min(self.step_seconds)


class Tuning(msgspec.Struct, frozen=True, kw_only=True):
    """The variants of a program, as it is first. `best` names the fastest that computes the same, if one is
    clearly faster; `diff` writes it. `steps` were measured after `warm_steps`."""

    program: str
    where: str = ""
    steps: int = 0
    warm_steps: int = 0
    runs: int = 0
    alternatives: tuple[Alternative, ...] = ()
    best: str = ""
    diff: str = ""
    notes: tuple[str, ...] = ()
