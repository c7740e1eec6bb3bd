"""Why a tape answers None: the ways from the sources to the target, and where each is lost."""

import ast
import dataclasses
from collections.abc import Iterator
from typing import Final

from graphdoctor.dryrun.core.machine import Machine
from graphdoctor.dryrun.gradients.gradient_uses import use_of_gradient
from graphdoctor.dryrun.gradients.provenance import ANYTHING, Loss, Path, Paths, Term, merge_all
from graphdoctor.dryrun.gradients.weights import Holders, holders_of, is_frozen
from graphdoctor.dryrun.libraries.tables.names import spellings
from graphdoctor.dryrun.tracing.operations import carriers, paths_of, recording_tapes
from graphdoctor.dryrun.values import (
    Dictionary,
    LibraryObject,
    Opaque,
    Sequence,
    Tape,
    Tensor,
    Unknown,
    Value,
    Variable,
    Variables,
)
from graphdoctor.dryrun.values.dtypes import FLOATS
from graphdoctor.dryrun.values.iteration import is_typical_weight
from graphdoctor.dryrun.values.joining import alternatives
from graphdoctor.recording.format import PARTLY, Place, Source
from graphdoctor.source.nodes import spelled

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


# How TensorFlow calls the operations that people meet on a way that breaks.
KINDS = spellings("kinds of operations")
DEEPEST = 4
MINIMIZE = "optimizer.minimize"


@dataclasses.dataclass(frozen=True, slots=True)
class Question:
    """A call of `tape.gradient`: what it asks for, and the expression that names the sources."""

    tape: Tape
    method: str
    target: Value
    sources: Value
    shown: ast.AST
    node: ast.AST


Answer = tuple[str, Loss | None]


def explain(machine: Machine, question: Question) -> set[int]:
    """Write down why a gradient is None, once for each reason and place.

    Returns the sources, by their ids, whose gradient may be None.
    """
    if _is_empty(question.sources):
        _write(machine, question, "no-sources", None, [], 0)
        return set()
    parts = carriers(question.target)
    asked = list(_sources(question.sources, question.shown))
    if not parts or any(
        isinstance(each, Unknown) and not isinstance(each, Opaque) for each in alternatives(question.target)
    ):
        return {id(source) for source, _ in asked}
    paths = merge_all(paths_of(machine, part) for part in parts) or {}
    lost = set()
    grouped: dict[tuple[str, bool, ast.AST | None], tuple[Answer, list[Source]]] = {}
    for index, (source, node) in enumerate(asked):
        answer = _reason(machine, question.tape, parts, paths, source)
        partly = answer is None
        if not partly or not _has_way(question.tape, paths, source):
            lost.add(id(source))
        if answer is None and (term := lost_term(paths, _numbers_of(source), question.tape.number)):
            answer = term.reason, term
        if answer is None:
            continue
        reason, loss = answer
        key = (reason, partly, loss.node if loss is not None else None)
        grouped.setdefault(key, (answer, []))[1].append(_described(machine, index, source, node))
    if asked and all(partly for _, partly, _ in grouped):
        machine.log.answered.add(tape_key(question))
    nothing = "zeros" if question.method == "batch_jacobian" else "None"  # run on 2.21
    for (_, partly, _), ((reason, loss), sources) in grouped.items():
        _write(machine, question, reason, loss, sources, len(asked), PARTLY if partly else nothing)
    return lost


def _has_way(tape: Tape, paths: Paths, source: Value) -> bool:
    """Whether a way from a source was met; of a tensor that is no source of its own, that is unknown."""
    if not isinstance(source, Variable):
        return True
    path = paths.get(source.origin.number)
    return path is not None and tape.number in path.tapes


def _numbers_of(source: Value) -> frozenset[int]:
    """The numbers under which the ways from a source are known."""
    if isinstance(source, Variables):
        return holders_of(source.of).numbers
    if isinstance(source, Tensor):
        return frozenset([source.number])
    return frozenset([source.origin.number]) if isinstance(source, Variable) else frozenset()


def _is_empty(sources: Value, depth: int = 0) -> bool:
    """Whether there is no source in a list, or in any of the lists and dicts in it."""
    if isinstance(sources, Sequence) and sources.items is not None and depth < DEEPEST:
        return all(_is_empty(item, depth + 1) for item in sources.items)
    known = isinstance(sources, Dictionary) and sources.complete and depth < DEEPEST
    return known and all(_is_empty(item, depth + 1) for item in sources.entries.values())  # type: ignore[attr-defined]


def tape_key(question: Question) -> tuple[int, str]:
    """What stands for one tape that is asked about one source."""
    return question.tape.number, spelled(question.shown)


def _described(machine: Machine, index: int, source: Value, node: ast.AST) -> Source:
    whole = _whole_numbers(source)
    return Source(
        index=index,
        name=spelled(node) if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) else "",
        dtype=getattr(source, "dtype", None) or (whole[0].dtype or "" if whole else ""),
        variable=isinstance(source, (Variable, Variables, Unknown)),
        place=machine.log.place(node) if hasattr(node, "lineno") else None,
        made=tuple(place for each in whole if (place := machine.log.place_of(each.origin))),
    )


def _whole_numbers(source: Value) -> list[Variable]:
    """The Variables behind a source, where they have no gradient by their dtype."""
    if not isinstance(source, (Variable, Variables)):
        return []
    holders = holders_of(source.of if isinstance(source, Variables) else source)
    trained = [each for each in holders.variables if each.trainable is not False]
    return trained if _are_whole_numbers(holders) else []


def _write(
    machine: Machine,
    question: Question,
    reason: str,
    loss: Loss | None,
    sources: list[Source],
    asked: int,
    answer: str = "None",
) -> None:
    tape = question.tape
    broken: Place | None = None
    operation = detail = ""
    if loss is not None:
        broken = machine.log.place(loss.node, loss.module)
        operation, detail = KINDS.get(loss.operation, loss.operation), loss.detail
    if reason == "outside" and loss is not None:
        paused = tape.number in loss.paused
        detail = "paused" if paused else "before" if loss.number < tape.number else "after"
    if reason == "not-watched" and not tape.watches:
        detail = "manual"
    if reason == "not-trainable" and isinstance(question.sources, Variables):
        detail = "watched" if question.method == MINIMIZE else "some"
    if reason == "dtype":
        detail = sources[0].dtype
    function = machine.activation.function
    around = function.node if function is not None else machine.module.syntax.tree
    machine.log.gradient(
        question.node,
        reason,
        tape_key(question),
        fate=use_of_gradient(question.node, around, machine.module.syntax.tree) if answer != PARTLY else "",
        answer=answer,
        sources=tuple(sources),
        asked=asked,
        method=question.method,
        opened=machine.log.place_of(tape.origin),
        broken=broken,
        operation=operation,
        detail=detail,
    )


def _sources(value: Value, node: ast.AST, depth: int = 0) -> Iterator[tuple[Value, ast.AST]]:
    """The single sources, each with the expression that names it."""
    if isinstance(value, Sequence) and depth < DEEPEST:
        if isinstance(value.cells.get("early"), Variables):
            yield value.cells["early"], node  # of a model that had none yet when the list was made
        items = value.items if value.items is not None else alternatives(value.cells["element"])
        written = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
        fits = len(written) == len(items) and not any(isinstance(each, ast.Starred) for each in written)
        for position, item in enumerate(items):
            if isinstance(item, Value):
                yield from _sources(item, written[position] if fits else node, depth + 1)
    elif isinstance(value, Dictionary) and depth < DEEPEST:
        for item in value.entries.values():
            yield from _sources(item, node, depth + 1)
    elif is_typical_weight(value):
        assert isinstance(value, Variable)
        yield Variables(value.cells["of"], value.cells["kind"], False, value.origin), node
    elif isinstance(value, (Tensor, Variable, Variables, Unknown)):
        yield value, node


def _reason(machine: Machine, tape: Tape, parts: list[Value], paths: Paths, source: Value) -> Answer | None:
    """Why the gradient for a source is None; None when it is not, or it is unknown."""
    if isinstance(source, Unknown):
        return _all_lost(tape, paths)
    if isinstance(source, Variables):
        return _reason_of_weights(machine, tape, paths, source)
    if isinstance(source, (Tensor, Variable)) and source.dtype is not None and source.dtype not in FLOATS:
        return "dtype", None
    if isinstance(source, Variable):
        return _reason_of_variable(tape, paths, source)
    assert isinstance(source, Tensor)
    return _reason_of_tensor(machine, tape, parts, paths, source)


def _reason_of_variable(tape: Tape, paths: Paths, source: Variable) -> Answer | None:
    number = source.origin.number
    if source.trainable is False and number not in tape.watched and not tape.loose:
        return "not-trainable", None
    if not tape.watches and number not in tape.watched and not tape.loose:
        return "not-watched", None
    return _broken(tape, paths, frozenset([number]))


def _reason_of_tensor(
    machine: Machine, tape: Tape, parts: list[Value], paths: Paths, source: Tensor
) -> Answer | None:
    if any(isinstance(part, Tensor) and part.number == source.number for part in parts):
        return None
    if tape.number in source.watched:
        own = paths.get(source.number)
        if own is not None and tape.number in own.beside:
            return None
        answer = _broken(tape, paths, frozenset([source.number]))
        if answer is not None and answer[0] == "outside" and _was_late(tape, source, answer[1]):
            return "late", tape.watched[source.number]
        return answer
    if any(tape.number in path.tapes for path in (source.paths or {}).values()):
        return _all_lost(tape, paths)  # an intermediate result of the tape
    if tape.loose:
        return None
    if source.rebound is not None:
        return "rebound", source.rebound
    if source.number in tape.copied:
        return "late", tape.copied[source.number]
    return "not-watched", None


def _was_late(tape: Tape, source: Tensor, loss: Loss | None) -> bool:
    """Whether the operation ran in the tape, before the tape was asked to watch."""
    watched = tape.watched.get(source.number)
    return loss is not None and watched is not None and tape.number < loss.number < watched.number


def _broken(tape: Tape, paths: Paths, numbers: frozenset[int]) -> Answer | None:
    """Why no way from one of these sources is whole; None where one is, or may be."""
    unknown = paths.get(ANYTHING)
    if unknown is not None and tape.number in unknown.tapes:
        return None
    met = [paths[number] for number in numbers if number in paths]
    if not met:
        return _all_lost(tape, paths) if unknown is not None else None
    losses = [path.lost_by(tape.number) for path in met]
    if any(loss is None for loss in losses):
        return None
    had = [path.lost[tape.number] for path in met if tape.number in path.lost]  # it recorded these at first
    first = min(had or [loss for loss in losses if loss is not None], key=lambda loss: loss.number)
    return first.reason, first


def _all_lost(tape: Tape, paths: Paths) -> Answer | None:
    """Why nothing that the target was computed from has a gradient on this tape; None where something may."""
    losses = [
        path.lost_by(tape.number) for path in paths.values() if tape.number in {*path.tapes, *path.lost}
    ]
    if not losses or any(loss is None for loss in losses):
        return None
    first = min((loss for loss in losses if loss is not None), key=lambda loss: loss.number)
    return first.reason, first


def _reason_of_weights(machine: Machine, tape: Tape, paths: Paths, source: Variables) -> Answer | None:
    if source.early:
        origin = source.origin
        if origin.node is None or origin.module is None:
            return "no-sources", None
        return "no-sources", Loss("no-sources", "", origin.node, origin.module)
    holders = holders_of(source.of)
    if source.kind in ("variables", "weights", "non_trainable_variables") and holders.untrainable:
        return "not-trainable", None
    if not tape.watches and not tape.loose and holders.numbers.isdisjoint(tape.watched):
        return "not-watched", None
    if _are_whole_numbers(holders):
        return "dtype", None
    return _broken(tape, paths, holders.numbers) or _partly_broken(tape, paths, holders, source.kind)


def _are_whole_numbers(holders: Holders) -> bool:
    """Whether a module has variables of its own and nothing else, and none of them is a float."""
    dtypes = {each.dtype for each in holders.variables if each.trainable is not False}
    layers = any(isinstance(each, LibraryObject) for each in holders.objects)
    return bool(dtypes) and not layers and None not in dtypes and not dtypes & set(FLOATS)


def _partly_broken(tape: Tape, paths: Paths, holders: Holders, kind: str) -> Answer | None:
    """Why some layers of a model have no gradient though others have; nothing where that may be meant so."""
    unknown = paths.get(ANYTHING)
    if unknown is not None and tape.number in unknown.tapes:
        return None
    frozen = [each.origin.number for each in holders.objects if is_frozen(each)]
    asked = holders.numbers.difference(frozen) if kind == "trainable_variables" else holders.numbers
    met = [paths[number].lost_by(tape.number) for number in asked if number in paths]
    losses = [loss for loss in met if loss is not None and _is_missed(loss, tape)]
    if not losses:
        return None
    first = min(losses, key=lambda loss: loss.number)
    return first.reason, first


def _is_missed(loss: Loss, tape: Tape) -> bool:
    """Whether layers were to be trained: what ran before the tape was, if other layers go on from there."""
    before = loss.fed and loss.number < tape.number and not loss.paused
    return loss.reason in ("operation", "left") or (loss.reason == "outside" and before)
