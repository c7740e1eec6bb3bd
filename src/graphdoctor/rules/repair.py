"""What the fix of a rule changes in what a program does, as the rule states it."""

import dataclasses
import enum


class NewGradient(enum.Enum):
    """EXACT: it agrees with a numerical derivative · ESTIMATED: no derivative exists, as of a rounding."""

    EXACT = "exact"
    ESTIMATED = "estimated"


class Eagerly(enum.Enum):
    """What the eager run of the program is that is to be fixed.

    RIGHT: what the fixed program has to equal · WRONG: wrong as well, the mistake is Python's own ·
    RENEWED: each eager call makes an object again that the fixed program keeps.
    """

    RIGHT = "right"
    WRONG = "wrong"
    RENEWED = "renewed"


@dataclasses.dataclass(frozen=True)
class Repair:
    """What a fix changes, and what must hold afterwards; all else must be equal.

    `gradient`: sources that had no gradient have one, of this kind; the target is the same. `trains`: the
    variables that get gradients change. `prints`: what was printed while tracing is printed at each call.
    `varies`: what differs from call to call in eager code does so in the graph. `clock`: the clock is read
    at each call, and a number that it enters may be any. `retraces`: there are fewer traces.
    `graphs`: what ran eagerly is traced.
    """

    gradient: NewGradient | None = None
    trains: bool = False
    prints: bool = False
    varies: bool = False
    clock: bool = False
    retraces: bool = False
    graphs: bool = False
    eagerly: Eagerly = Eagerly.RIGHT


# What no path led to: a mistake that is made eagerly as well.
MISSING_GRADIENT = Repair(gradient=NewGradient.EXACT, eagerly=Eagerly.WRONG)
FEWER_TRACES = Repair(retraces=True)
