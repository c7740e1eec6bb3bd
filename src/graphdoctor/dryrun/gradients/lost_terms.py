"""Terms of a sum that have lost their gradient as a whole, while another term has one."""

from __future__ import annotations

from typing import Final

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.provenance import ANYTHING, Loss, Path, Paths, Term
from graphdoctor.dryrun.tracing.operations import recording_tapes
from graphdoctor.dryrun.values import Tensor, Value

UNMEANT: Final = ("left", "operation", "outside")  # `tf.stop_gradient` says that it is meant


def note_lost_terms(machine: Machine, name: str, total: Value, left: Value, right: Value) -> None:
    """Mark the ways to a sum of two numbers of which one has no gradient for what the other has one.

    Only numbers, as losses are: what is added to a tensor of many may be a mask, or rounded on purpose.
    In a difference, what was computed before the tape is where the rest is measured from: a baseline.
    """
    if not machine.tapes or not isinstance(total, Tensor) or total.shape != () or not total.paths:
        return
    for term, rest in ((left, right), (right, left)):
        if not isinstance(term, Tensor) or not isinstance(rest, Tensor):
            continue
        since = max((loop.begun for loop in machine.loops), default=0)
        for tape in recording_tapes(machine):
            begun = max(tape, since) if name == "sub" else since
            total.paths = _with_term(total.paths, term.paths or {}, rest.paths or {}, tape, begun)


def _with_term(total: Paths, term: Paths, rest: Paths, tape: int, since: int) -> Paths:
    """The ways with their marks; what was lost outside the tape earlier than `since` is meant so."""
    losses = {source: loss for source, path in term.items() if (loss := path.lost_by(tape)) is not None}
    whole = any(tape in path.tapes for path in term.values())
    if whole or ANYTHING in term or not losses or any(_is_meant(each, since) for each in losses.values()):
        return total
    marked = dict(total)
    for source, loss in losses.items():
        if source in rest and tape in rest[source].tapes:
            path = total[source]
            mark = Term(loss.reason, loss.operation, loss.node, loss.module, loss.detail)
            mark.number = loss.number
            marked[source] = Path(path.tapes, {**path.lost, tape: mark}, path.began, path.beside)
    return marked


def _is_meant(loss: Loss, since: int) -> bool:
    """Whether nobody would miss it: a tape was asked to pause, or a sum goes on from the last iteration."""
    earlier = loss.reason == "outside" and (bool(loss.paused) or loss.number < since)
    return earlier or loss.reason not in UNMEANT or isinstance(loss, Term)


def lost_term(paths: Paths, numbers: frozenset[int], tape: int) -> Loss | None:
    """Where a term of a target was lost, of which a tape has the rest."""
    found = [paths[number] for number in numbers if number in paths]
    terms = [path.lost.get(tape) for path in found if tape in path.tapes]
    return next((loss for loss in terms if isinstance(loss, Term)), None)
