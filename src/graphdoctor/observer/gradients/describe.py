"""Reasons → events of the recording."""

from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.operations import CodeLine
from graphdoctor.observer.gradients.places import Here
from graphdoctor.observer.gradients.reasons import Reason, Source, TapeLife
from graphdoctor.observer.user_code.callsite import chain_at
from graphdoctor.recording.format import Gradient, Place, Step
from graphdoctor.recording.format import Source as RecordedSource

SYMBOLIC = "tf.gradients"


def source_of(value: Any, index: int) -> Source:
    """What a gradient was asked for, without the object itself."""
    variable = hasattr(value, "handle")
    named = hasattr(value, "_id") or variable
    name = (getattr(value, "path", None) or getattr(value, "name", "")) if variable else ""
    return Source(
        key=internals.number(value) if named else None,
        name=str(name).removesuffix(":0"),
        dtype=_dtype_name(getattr(value, "dtype", "")),
        variable=variable,
        trainable=bool(getattr(value, "trainable", True)),
        index=index,
    )


def _dtype_name(dtype: Any) -> str:
    return str(getattr(dtype, "name", dtype))


def describe_events(
    explained: list[tuple[Source, Reason]],
    asked: int,
    method: str,
    where: Here,
    life: TapeLife,
) -> list[Gradient]:
    """One event for each reason, with all the sources it concerns."""
    groups: dict[Any, list[tuple[Source, Reason]]] = {}
    for source, reason in explained:
        key = (reason.kind, reason.place, reason.operation, reason.detail, source.variable)
        groups.setdefault(key, []).append((source, reason))
    if not asked:
        groups["empty"] = []
    return [_event(group, asked, method, where, life) for group in groups.values()]


def _event(
    group: list[tuple[Source, Reason]],
    asked: int,
    method: str,
    where: Here,
    life: TapeLife,
) -> Gradient:
    reason = group[0][1] if group else Reason("no-sources")
    entered = where.entered if method != SYMBOLIC and where.entered != method else ""
    return Gradient(
        reason=reason.kind,
        sources=tuple(
            RecordedSource(name=s.name, index=s.index, dtype=s.dtype, variable=s.variable) for s, _ in group
        ),
        asked=asked,
        method=method,
        chain=chain_at(*where.place, entered) if where.place else (),
        opened=_place(life.place),
        broken=_place(reason.place),
        operation=reason.operation,
        detail=reason.detail,
        path=tuple(Step(operation=kind, place=_place(place)) for kind, place in reason.path),
    )


def _place(place: CodeLine | None) -> Place | None:
    return Place(path=place[0], line=place[1]) if place is not None else None
