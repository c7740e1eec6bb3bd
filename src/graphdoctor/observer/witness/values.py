"""A tensor or Python value → what is written down of it."""

import math
from typing import Any

MOST_ELEMENTS = 32


def value_of(leaf: Any) -> dict[str, Any]:
    """Its dtype and shape, some elements spread over it, and two figures that all elements enter."""
    array = _array(leaf)
    if array is None:
        return {"text": leaf if isinstance(leaf, str) else _text(leaf)}
    flat = array.reshape(-1)
    kept = flat[:: max(1, flat.size // MOST_ELEMENTS)][: 2 * MOST_ELEMENTS]
    described: dict[str, Any] = {"dtype": str(array.dtype), "shape": list(array.shape)}
    if array.dtype.kind in "OSU":
        return {**described, "texts": [_decoded(one) for one in kept.tolist()]}
    if array.dtype.kind == "c":
        return {**described, "values": _numbers([*kept.real.tolist(), *kept.imag.tolist()])}
    wide = flat.astype("float64")
    figures = [wide.mean(), abs(wide).mean()] if flat.size > len(kept) else []
    return {**described, "values": _numbers([*kept.astype("float64").tolist(), *figures])}


def _numbers(values: list[Any]) -> list[float | str]:
    """The numbers; those that JSON does not have as texts."""
    return [float(one) if math.isfinite(one) else str(float(one)) for one in values]


def _array(leaf: Any) -> Any:
    if hasattr(leaf, "numpy"):
        leaf = leaf.numpy()  # raises for a symbolic tensor
    return leaf if hasattr(leaf, "dtype") and hasattr(leaf, "reshape") else None


def _text(leaf: Any) -> str:
    return repr(leaf) if isinstance(leaf, int | float | bool | bytes | None) else type(leaf).__name__


def _decoded(text: Any) -> str:
    return text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else str(text)
