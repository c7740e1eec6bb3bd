"""A tape, a target and the sources it was asked for → why there is nothing to be learnt for some of them."""

from collections.abc import Callable
from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.graphs import GraphReader, contains_loop, write_out_calls
from graphdoctor.observer.gradients.operations import Key, Record
from graphdoctor.observer.gradients.places import Here
from graphdoctor.observer.gradients.reasons import Explainer, Reason, Source, TapeLife
from graphdoctor.observer.gradients.source_text import refine, value_is_kept

Explained = list[tuple[Source, Reason]]
TOO_MANY = "gradients: too many eager operations around one tape to explain a None"


def explain_none(
    life: TapeLife,
    target: Any,
    missing: list[Source],
    where: Here,
    kinds: list[bool],
    problem: Callable[[str], None],
) -> Explained | None:
    """The reason for each source; None when eager code was not recorded around this tape."""
    targets = _tensors(target)
    if all(map(internals.is_eager, targets)) and life.record is None:
        return None
    if life.record is not None and not life.record.complete:
        problem(TOO_MANY)
        return []
    explainer = _explainer(life, targets)
    found = []
    for source in missing:
        turned = source.index < len(kinds) and kinds[source.index] and not source.variable
        found.append((source, refine(explainer, source, explainer.explain(source), where, turned)))
    return found


def explain_zeros(life: TapeLife, target: Any, sources: list[Source]) -> Explained:
    """The sources that got zeros only because TensorFlow's loops give zeros where others give None."""
    targets = _tensors(target)
    if not any(map(contains_loop, _graphs(life, targets))):
        return []
    explainer = _explainer(life, targets)
    hidden = [source for source in sources if source.key not in explainer.connected]
    found = [(source, explainer.explain(source)) for source in hidden]
    return [(source, reason) for source, reason in found if reason.kind in ("operation", "stopped", "left")]


def _tensors(target: Any) -> list[Any]:
    return [t for t in internals.flatten(target) if hasattr(t, "_id") or hasattr(t, "handle")]


def _graphs(life: TapeLife, targets: list[Any]) -> list[Any]:
    """The graphs in which the targets were computed, as far as they are known."""
    called = life.record.calls if life.record is not None and life.record.complete else []
    inside = [graph for _, reference in called if (graph := reference()) is not None]
    return inside + [internals.graph_of(t) for t in targets if not internals.is_eager(t)]


def _explainer(life: TapeLife, targets: list[Any]) -> Explainer:
    eager = all(map(internals.is_eager, targets))
    record = write_out_calls(life.record) if eager and life.record else Record()
    numbered: list[tuple[Key, str]] = [(internals.number(t), t.dtype.name) for t in targets]
    latest = max((internals.number(t) for t in targets), default=0)
    for tensor in targets:
        if not internals.is_eager(tensor):
            GraphReader(record, latest).read(internals.graph_of(tensor))
    return Explainer(record, numbered, life, value_is_kept)
