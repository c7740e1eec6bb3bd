"""The file of the steps of a training → when each was done, and which lines called it."""

import os
import pathlib

import msgspec


class Site(msgspec.Struct, frozen=True, array_like=True):
    """A line of the program, relative to its root, in a function."""

    path: str
    line: int
    function: str


class Stepped(msgspec.Struct, frozen=True):
    """How many steps were done at which clock, and when epochs began.

    Of a scout: how often each kind was asked for, how long it took, and by which lines, outermost first.
    """

    marks: tuple[tuple[int, float], ...] = ()
    epochs: tuple[int, ...] = ()
    counts: dict[str, int] = {}
    seconds: dict[str, float] = {}
    stacks: dict[str, tuple[Site, ...]] = {}

    @property
    def done(self) -> int:
        """How many steps were done in all."""
        return self.marks[-1][0] if self.marks else 0

    @property
    def epoch(self) -> int | None:
        """The steps of the first epoch, where a second one began."""
        later = [number for number in self.epochs if number]
        return later[0] if later else None

    def clock(self, done: int) -> float:
        """When so many steps, or the first more, were done."""
        return next(clock for number, clock in self.marks if number >= done)


def read_steps(file: pathlib.Path, root: str) -> Stepped | None:
    """What was written; None where nothing was. Paths below the root become relative."""
    try:
        found = msgspec.json.decode(file.read_bytes(), type=Stepped)
    except (OSError, msgspec.MsgspecError):
        return None
    home = os.path.realpath(root)
    stacks = {
        kind: tuple(
            Site(os.path.relpath(os.path.realpath(site.path), home), site.line, site.function)
            for site in stack
        )
        for kind, stack in found.stacks.items()
    }
    return msgspec.structs.replace(found, stacks=stacks)
