"""Second derivatives: gradients that a tape itself records, and whether it is asked to differentiate them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphdoctor.dryrun.values import Opaque, Tape, Unknown, Value, numbers

if TYPE_CHECKING:
    from graphdoctor.dryrun.core.machine import Machine


@dataclass(slots=True, eq=False)
class Answer:
    """A gradient that its own tape records; `position` is that of the event that reports it."""

    tape: Tape
    position: int
    differentiated: bool = False


class Answers:
    """All of a dry run, by the number under which ways lead from them."""

    def __init__(self) -> None:
        self._known: dict[int, Answer] = {}

    def recorded(self, tape: Tape, position: int) -> Value:
        """A tape records its own answer; what stands for it among the values that others are made from."""
        from graphdoctor.dryrun.gradients.provenance import Path

        number = next(numbers)
        self._known[number] = Answer(tape, position)
        return Opaque({number: Path(frozenset([tape.number]))})

    def asked(self, machine: Machine, tape: Tape, target: Value) -> None:
        """A tape is asked for the gradient of a value, which may come from its own answers."""
        from graphdoctor.dryrun.tracing.operations import carriers, paths_of
        from graphdoctor.dryrun.values.joining import alternatives

        if not self._known:
            return
        hidden = any(
            isinstance(each, Unknown) and not isinstance(each, Opaque) for each in alternatives(target)
        )
        ways = {number for part in carriers(target) for number in paths_of(machine, part) or ()}
        for number, answer in self._known.items():
            if answer.tape is tape and (hidden or number in ways):
                answer.differentiated = True

    def asked_again(self) -> Iterator[tuple[int, bool]]:
        """Where each was reported, and whether it is differentiated, or may be by others with the tape."""
        again: dict[int, bool] = {}
        for answer in self._known.values():
            known = again.get(answer.position, False)
            again[answer.position] = known or answer.differentiated or answer.tape.escaped
        yield from again.items()
