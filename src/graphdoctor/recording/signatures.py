"""Types seen → the most specific signature that covers them all."""

from collections.abc import Sequence

from graphdoctor.recording.format import Argument, Trace


def covering_spec(seen: Sequence[Argument]) -> str | None:
    """`tf.TensorSpec([8, None], tf.float32)` for what one argument was; None when no spec covers it."""
    if not seen or any(a.kind != "tensor" or a.type != "TensorSpec" for a in seen):
        return None
    if len({a.dtype for a in seen}) != 1:
        return None
    shape = _covering_shape([a.shape for a in seen])
    return f"tf.TensorSpec({shape}, tf.{seen[0].dtype})"


def _covering_shape(shapes: Sequence[tuple[int | None, ...] | None]) -> str:
    ranks = {None if shape is None else len(shape) for shape in shapes}
    if len(ranks) != 1 or None in ranks:
        return "None"
    sizes = [set(axis) for axis in zip(*(shape for shape in shapes if shape is not None), strict=True)]
    return f"[{', '.join(str(axis.pop()) if len(axis) == 1 else 'None' for axis in sizes)}]"


def covering_signature(traces: Sequence[Trace], bound: str = "") -> str | None:
    """The `input_signature` for all traces; None when an argument is not a tensor in all of them.

    `bound` is the parameter that has no place in it: the `self` of a method.
    """
    seen: dict[str, list[Argument]] = {}
    for trace in traces:
        for argument in trace.arguments:
            if argument.path != bound:
                seen.setdefault(argument.path, []).append(argument)
    specs = [covering_spec(group) for group in seen.values() if len(group) == len(traces)]
    flat = all(path.isidentifier() for path in seen)
    if len(specs) != len(seen) or not specs or not flat or any(spec is None for spec in specs):
        return None
    return f"[{', '.join(str(spec) for spec in specs)}]"
