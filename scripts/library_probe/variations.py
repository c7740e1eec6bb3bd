"""Calls near a working one: other shapes, dtypes, axes and options."""

import dataclasses
import inspect
import itertools

from library_probe.calls import Call, is_no_value
from library_probe.encoded import MAKERS, TEXTS
from library_probe.samples import DTYPE_PARAMETERS, DTYPES, OPTIONS, SHAPE_PARAMETERS, SHAPES, Tensor, Tensors

AXIS_PARAMETERS = ("axis", "axes", "keepdims", "perm")
FEW_SHAPES = ((1,), (3,), (1, 3), (2, 1), (), (1, 2, 3))


def is_fixed(sample: object) -> bool:
    """It has one shape and one dtype only: a picture, a file, a sparse tensor."""
    return isinstance(sample, Tensor) and sample.values in MAKERS


def reshaped(sample: object, shape: tuple[int, ...]) -> object:
    if is_fixed(sample):
        return sample
    if isinstance(sample, Tensors):
        return Tensors(tuple(dataclasses.replace(item, shape=shape) for item in sample.items))
    return dataclasses.replace(sample, shape=shape)


def retyped(sample: object, dtype: str) -> object:
    if is_fixed(sample):
        return sample
    if isinstance(sample, Tensors):
        return Tensors(tuple(dataclasses.replace(item, dtype=dtype) for item in sample.items))
    return dataclasses.replace(sample, dtype=dtype)


def equalled(sample: object) -> object:
    """All elements alike, so that what depends on the values shows."""
    if is_fixed(sample) or getattr(sample, "values", "") in TEXTS:
        return sample
    if isinstance(sample, Tensors):
        return Tensors(tuple(dataclasses.replace(item, values="equal") for item in sample.items))
    return dataclasses.replace(sample, values="equal")


def shape_of(sample: object) -> tuple[int, ...]:
    return sample.items[0].shape if isinstance(sample, Tensors) else sample.shape


def of_shape(call: Call, safe: tuple[tuple[int, ...], ...] | None = None):
    """Every tensor with another shape: together where they were equal, then one alone, then pairs.

    Args:
        safe: the only shapes of the first tensor that do not end the process.
    """
    names = call.tensors()
    if safe is not None:
        yield from (call.changed(**{names[0]: reshaped(call.given[names[0]], shape)}) for shape in safe)
        return
    yield call.changed(**{name: equalled(call.given[name]) for name in names})
    for group in {shape_of(call.given[name]) for name in names}:
        alike = [name for name in names if shape_of(call.given[name]) == group]
        for shape in SHAPES:
            yield call.changed(**{name: reshaped(call.given[name], shape) for name in alike})
    for name in names:
        for shape in (*FEW_SHAPES, *SHAPES):
            yield call.changed(**{name: reshaped(call.given[name], shape)})
    for name in names:
        first, *rest = shape_of(call.given[name]) or (1,)
        yield call.changed(**{name: reshaped(call.given[name], (first + 1, *rest))})
    for left, right in itertools.pairwise(names):
        for a, b in (
            ((2, 3), (3, 4)),
            ((5, 2, 3), (5, 3, 4)),
            ((4, 2, 3), (3,)),
            ((3,), (4, 2, 3)),
            ((2, 3), (3, 2)),
            ((4,), (4, 3)),
            ((4, 5), (4, 5, 3)),
            ((3, 2), (3,)),
        ):
            yield call.changed(**{left: reshaped(call.given[left], a), right: reshaped(call.given[right], b)})
    for name in names:
        sample = call.given[name]
        if isinstance(sample, Tensors):
            yield call.changed(**{name: Tensors(sample.items * 2)})
            yield call.changed(**{name: Tensors((Tensor((5, 3)), Tensor((2, 3))))})


def of_value(call: Call):
    """Parameters that give a shape, with other values, or without."""
    if "size" in call.given and call.signature.parameters["size"].default is None:
        yield Call(call.signature, {name: given for name, given in call.given.items() if name != "size"})
    for name in call.signature.parameters:
        if name in SHAPE_PARAMETERS and name in call.given and not isinstance(call.given[name], Tensor):
            for value in ((5, 1, 2), (4,), (3, 2), (2, -1), (-1,), (6, 1), 3, 5):
                yield call.changed(**{name: value})
        elif call.signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL:
            for value in ((4,), (2, 3, 1), ()) if isinstance(call.given[name], tuple) else ():
                yield call.changed(**{name: value})
        elif name in call.given and type(call.given[name]) is int:
            for value in (1, 2, 3, 5):
                yield call.changed(**{name: value})


def of_axis(call: Call):
    """Axes and `keepdims`, alone and together, on two ranks."""
    parameters = call.signature.parameters
    for name in ("axis", "axes"):
        if name not in parameters:
            continue
        for base in (call, *bigger(call)):
            for value in OPTIONS[name]:
                yield base.changed(**{name: value})
                if "keepdims" in parameters:
                    yield base.changed(**{name: value, "keepdims": True})
    if "keepdims" in parameters:
        yield call.changed(keepdims=True)
    for name in ("perm", "axes"):
        if name in parameters:
            yield call.changed(**{name: (1, 0)})


def bigger(call: Call):
    names = call.tensors()
    if names:
        yield call.changed(**{name: reshaped(call.given[name], (5, 2, 3)) for name in names})
        yield call.changed(**{names[0]: reshaped(call.given[names[0]], (5, 2, 3))})


def of_dtype(call: Call):
    """Every tensor with another dtype, together, then one alone."""
    names = call.tensors()
    for dtype in DTYPES:
        yield call.changed(**{name: retyped(call.given[name], dtype) for name in names})
    for name in names if len(names) > 1 else ():
        for dtype in DTYPES:
            yield call.changed(**{name: retyped(call.given[name], dtype)})


def of_dtype_parameter(call: Call):
    for name in DTYPE_PARAMETERS:
        if name in call.signature.parameters:
            for dtype in DTYPES:
                yield call.changed(**{name: dtype})


def of_option(call: Call, name: str):
    """An optional parameter with another value than its default."""
    parameter = call.signature.parameters[name]
    if name in AXIS_PARAMETERS or name in DTYPE_PARAMETERS or name in call.given:
        return
    if isinstance(parameter.default, bool) or is_no_value(parameter.default):
        yield call.changed(**{name: not parameter.default if isinstance(parameter.default, bool) else True})
    for value in OPTIONS.get(name, ()):
        yield call.changed(**{name: value})


def optional(signature: inspect.Signature) -> list[str]:
    return [
        name
        for name, parameter in signature.parameters.items()
        if parameter.default is not parameter.empty and parameter.kind is not parameter.VAR_KEYWORD
    ]
