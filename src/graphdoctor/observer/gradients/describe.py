"""Reasons → events of the recording: plain dictionaries."""

from typing import Any

from graphdoctor.observer.gradients import tensorflow_internals as internals
from graphdoctor.observer.gradients.operations import Place
from graphdoctor.observer.gradients.places import Here
from graphdoctor.observer.gradients.reasons import Reason, Source, TapeLife

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
) -> list[dict[str, Any]]:
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
) -> dict[str, Any]:
    reason = group[0][1] if group else Reason("no-sources")
    site = _site(where.place)
    if site is not None and method != SYMBOLIC and where.entered not in ("", method):
        site["entered"] = where.entered
    return {
        "event": "gradient",
        "reason": reason.kind,
        "sources": [
            {"name": s.name, "index": s.index, "dtype": s.dtype, "variable": s.variable} for s, _ in group
        ],
        "asked": asked,
        "method": method,
        "site": site,
        "tape": _site(life.place),
        "place": _site(reason.place),
        "operation": reason.operation,
        "detail": reason.detail,
        "path": [{"operation": kind, "place": _site(place)} for kind, place in reason.path],
    }


def _site(place: Place | None) -> dict[str, Any] | None:
    if place is None:
        return None
    path, line, function = place
    return {"path": path, "line": line, "function": function}
