"""Terms of a sum that have lost their gradient as a whole, while another term has one."""

from __future__ import annotations

from typing import Final

from graphdoctor.dryrun.machine import Machine
from graphdoctor.dryrun.operations import recording_tapes
from graphdoctor.dryrun.provenance import ANYTHING, Loss, Path, Paths, Term
from graphdoctor.dryrun.values import Tensor, Value

UNMEANT: Final = ("left", "operation")  # `tf.stop_gradient` says that it is meant


def note_lost_terms(machine: Machine, total: Value, left: Value, right: Value) -> None:
    """Mark the ways to a sum of two numbers of which one has no gradient for what the other has one.

    Only numbers, as losses are: what is added to a tensor of many may be a mask, or rounded on purpose.
    """
    if not machine.tapes or not isinstance(total, Tensor) or total.shape != () or not total.paths:
        return
    for term, rest in ((left, right), (right, left)):
        if not isinstance(term, Tensor) or not isinstance(rest, Tensor):
            continue
        for tape in recording_tapes(machine):
            total.paths = _with_term(total.paths, term.paths or {}, rest.paths or {}, tape)


def _with_term(total: Paths, term: Paths, rest: Paths, tape: int) -> Paths:
    losses = {source: path.lost[tape] for source, path in term.items() if tape in path.lost}
    whole = any(tape in path.tapes for path in term.values())
    if whole or ANYTHING in term or not losses or any(_is_meant(loss) for loss in losses.values()):
        return total
    marked = dict(total)
    for source, loss in losses.items():
        if source in rest and tape in rest[source].tapes:
            path = total[source]
            mark = Term(loss.reason, loss.operation, loss.node, loss.module, loss.detail)
            marked[source] = Path(path.tapes, {**path.lost, tape: mark}, path.began, path.beside)
    return marked


def _is_meant(loss: Loss) -> bool:
    return loss.reason not in UNMEANT or isinstance(loss, Term)


def lost_term(paths: Paths, numbers: frozenset[int], tape: int) -> Loss | None:
    """Where a term of a target was lost, of which a tape has the rest."""
    found = [paths[number] for number in numbers if number in paths]
    terms = [path.lost.get(tape) for path in found if tape in path.tapes]
    return next((loss for loss in terms if isinstance(loss, Term)), None)
