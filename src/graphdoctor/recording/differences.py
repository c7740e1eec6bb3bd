"""Two traces → everything in which their cache keys differ."""

from collections.abc import Iterator

from graphdoctor.model import Change, Difference
from graphdoctor.recording.format import Argument, Trace

CONTAINERS = ("list", "tuple", "dict", "record")


def compare(now: Trace, before: Trace) -> tuple[Difference, ...]:
    """All differences, coarse ones first."""
    found = list(_compare(now, before))
    if len(found) > 1:
        order = list(Change)
        found.sort(key=lambda difference: order.index(difference.change))
    return tuple(found)


def _compare(now: Trace, before: Trace) -> Iterator[Difference]:
    if now.object != before.object:
        yield Difference(
            argument=None,
            change=Change.NEW_FUNCTION_OBJECT,
            before=f"Function object {before.object}",
            now=f"Function object {now.object}",
        )
    for field in sorted({*now.context, *before.context}):
        was, is_now = before.context.get(field, "none"), now.context.get(field, "none")
        if was != is_now:
            yield Difference(
                argument=None,
                change=Change.CONTEXT,
                before=f"{field}: {was}",
                now=f"{field}: {is_now}",
            )
    yield from _compare_arguments(now.arguments, before.arguments)


def _compare_arguments(now: tuple[Argument, ...], before: tuple[Argument, ...]) -> Iterator[Difference]:
    earlier = {argument.path: argument for argument in before}
    later = {argument.path: argument for argument in now}
    reshaped: list[str] = []
    for path in [*later, *(path for path in earlier if path not in later)]:
        if any(path.startswith(prefix) for prefix in reshaped):
            continue
        found = list(_compare_argument(path, later.get(path), earlier.get(path)))
        if any(difference.change is Change.STRUCTURE for difference in found):
            reshaped += [path + "[", path + "."]
        yield from found


def _compare_argument(path: str, now: Argument | None, before: Argument | None) -> Iterator[Difference]:
    def differ(change: Change, was: str, is_now: str, axis: int | None = None) -> Difference:
        return Difference(argument=path, change=change, before=was, now=is_now, axis=axis)

    if now is None or before is None or _kind(now) != _kind(before) or _container(now, before):
        yield differ(Change.STRUCTURE, describe(before), describe(now))
    elif _kind(now) == "tensor":
        yield from _compare_tensors(path, now, before)
    elif now.kind == "value" and (now.text, now.type) != (before.text, before.type):
        yield differ(Change.PYTHON_VALUE, before.text, now.text)
    elif now.kind == "object" and (now.identity != before.identity or now.identity == 0):
        yield differ(Change.OBJECT_IDENTITY, describe(before), describe(now))
    elif now.kind == "other" and (now.type, now.text) != (before.type, before.text):
        yield differ(Change.STRUCTURE, describe(before), describe(now))


def _kind(argument: Argument) -> str:
    """TensorFlow makes a tensor of an array."""
    return "tensor" if argument.kind == "array" else argument.kind


def _container(now: Argument, before: Argument) -> bool:
    """Whether two containers hold other keys, or another number of things."""
    return now.kind in CONTAINERS and (now.length, now.keys) != (before.length, before.keys)


def _compare_tensors(path: str, now: Argument, before: Argument) -> Iterator[Difference]:
    def differ(change: Change, was: str, is_now: str, axis: int | None = None) -> Difference:
        return Difference(argument=path, change=change, before=was, now=is_now, axis=axis)

    if now.dtype != before.dtype:
        yield differ(Change.DTYPE, before.dtype, now.dtype)
    if now.type != before.type:
        yield differ(Change.STRUCTURE, before.type, now.type)
    elif now.shape is None or before.shape is None or len(now.shape) != len(before.shape):
        if now.shape != before.shape:
            yield differ(Change.RANK, describe(before), describe(now))
    else:
        for axis, (is_now, was) in enumerate(zip(now.shape, before.shape, strict=True)):
            if is_now != was:
                yield differ(Change.SHAPE, _dimension(was), _dimension(is_now), axis)


def describe(argument: Argument | None) -> str:
    """An argument in a few words: `float32[3, None]`, `'adam'`, `Config object`."""
    if argument is None:
        return "absent"
    if _kind(argument) == "tensor":
        return f"{argument.dtype}{_shape(argument.shape)}"
    if argument.kind == "object":
        named = f" `{argument.text}`" if argument.text else ""
        return f"{argument.type}{named} #{argument.identity}"
    if argument.kind in ("dict", "record"):
        return f"{argument.kind} with {', '.join(argument.keys) or 'no keys'}"
    if argument.kind in ("list", "tuple"):
        return f"{argument.kind} of {argument.length}"
    return argument.text


def _shape(shape: tuple[int | None, ...] | None) -> str:
    if shape is None:
        return " of unknown rank"
    return f"[{', '.join(map(_dimension, shape))}]"


def _dimension(size: int | None) -> str:
    return "None" if size is None else str(size)
