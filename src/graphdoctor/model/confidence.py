"""How sure a finding is: the evidence that its claim rests on → a level, with reasons."""

import enum
from collections.abc import Iterator

import msgspec

from graphdoctor.model.severity import Severity


class Level(str, enum.Enum):
    """HIGH: observed, or every run of the program does it · MEDIUM: one premise is open · LOW: a guess."""

    HIGH = "HIGH"
    MEDIUM = "MEDIUM"
    LOW = "LOW"

    @property
    def rank(self) -> int:
        """0 for HIGH, and more for less."""
        return tuple(Level).index(self)


class Confidence(msgspec.Struct, frozen=True, kw_only=True):
    """A level, and what keeps it from being HIGH: short phrases, the weightiest first."""

    level: Level = Level.HIGH
    reasons: tuple[str, ...] = ()


class Called(str, enum.Enum):
    """Who was seen to come to the place: a run, the program, a test, the dry run's own call, or nothing."""

    RUN = "run"
    PROGRAM = "program"
    TEST = "test"
    DRIVER = "driver"
    NOTHING = "nothing"


class Since(str, enum.Enum):
    """The first version of a library in which a claim holds."""

    NUMPY_1_20 = "NumPy 1.20"
    TENSORFLOW_2 = "TensorFlow 2"
    TENSORFLOW_2_11 = "TensorFlow 2.11"
    KERAS_3 = "Keras 3"


class Grounds(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The evidence of one claim; the words of `reached` and `traced` are those of a recording.

    reached: seen (in a run) · must · some (under an option or a condition that some run meets) · may. traced:
    shown · assumed · eager. `claim` is the severity of the rule: what is said to happen there. `entry` is the
    outermost function of the path, empty for a program. `caught`: the program catches the exception;
    `expected`: it is there for that, as a test of it is. `inputs`: what this claim depends on and the source
    does not show, in words; `guesses`: what it takes for granted. `since`: the first version in which it
    holds. `generation`: the version that the code is written for, in which the claim does not hold;
    `only_in`: the version in which alone it holds, where nothing says which one the project uses. `ran`:
    stored outputs show that the code ran. `ends_at`: the name for want of which the code ends earlier.
    `eager_in`: the program that switches graphs off.
    """

    reached: str = "seen"
    traced: str = "shown"
    called: Called = Called.RUN
    claim: Severity = Severity.NOTE
    entry: str = ""
    caught: bool = False
    expected: bool = False
    inputs: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()
    since: Since | None = None
    generation: str = ""
    only_in: str = ""
    ran: bool = False
    ends_at: str = ""
    eager_in: str = ""

    @property
    def is_observed(self) -> bool:
        """Whether a run saw it."""
        return self.reached == "seen"


def confidence(grounds: Grounds) -> Confidence:
    """The confidence that some evidence allows: as low as the weakest part of it."""
    doubts = _always_open(grounds) if grounds.is_observed else _doubts(grounds)
    found = sorted(doubts, key=lambda doubt: -doubt[0].rank)
    if not found:
        return Confidence()
    return Confidence(level=found[0][0], reasons=tuple(reason for _, reason in found))


def _doubts(grounds: Grounds) -> Iterator[tuple[Level, str]]:
    """What may keep the claim from being true in a run, each with the level that it leaves."""
    if grounds.ran:
        yield Level.LOW, "a stored output shows that the code ran"
    if grounds.ends_at:
        yield Level.LOW, f"the code ends earlier: nothing defines `{grounds.ends_at}`"
    if grounds.generation:
        yield Level.LOW, f"the code is written for {grounds.generation}"
    if grounds.only_in:
        yield Level.LOW, f"only with {grounds.only_in}, and the project names no version"
    if grounds.eager_in:
        yield Level.LOW, f"{grounds.eager_in} switches graphs off"
    yield from _always_open(grounds)
    if grounds.reached == "may":
        yield Level.LOW, "an unknown condition decides whether it is reached"
    elif grounds.reached == "some":
        yield Level.MEDIUM, "an option or condition decides whether it is reached"
    if grounds.traced == "assumed":
        yield Level.LOW, "nothing shows that it is traced"
    yield from _caller(grounds)
    if grounds.inputs:
        known = grounds.called not in (Called.DRIVER, Called.NOTHING)
        yield Level.MEDIUM if known else Level.LOW, f"it depends on {', '.join(grounds.inputs)}"


def _always_open(grounds: Grounds) -> Iterator[tuple[Level, str]]:
    """What a run that saw it leaves open as well: whether it harms."""
    if grounds.guesses:
        yield Level.LOW, f"nothing shows that {' and that '.join(grounds.guesses)}"
    if grounds.expected:
        yield Level.LOW, "the program expects the exception"
    elif grounds.caught:
        yield Level.MEDIUM, "the program catches the exception"


def _caller(grounds: Grounds) -> Iterator[tuple[Level, str]]:
    """What is open about the caller; what raises whenever it is called is worth a look, called or not."""
    if grounds.called is Called.DRIVER:
        # What is slow under an option is slow for whoever sets it; else two open premises make a guess.
        guess = grounds.reached == "some" and grounds.claim in (Severity.ERROR, Severity.WRONG)
        yield Level.LOW if guess else Level.MEDIUM, "nothing in the project shows how it is called"
    elif grounds.called is Called.NOTHING:
        raises = grounds.claim is Severity.ERROR and grounds.reached == "must"
        yield Level.MEDIUM if raises else Level.LOW, "nothing in the project uses it"
    elif grounds.called is Called.TEST and grounds.claim is Severity.SLOW:
        yield Level.LOW, "only a test comes there"
