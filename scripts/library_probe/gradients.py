"""Which inputs get a gradient, and what happens to a symbolic tensor."""

import dataclasses

import numpy
import tensorflow as tf

from library_probe.calls import Call, is_array, make, run
from library_probe.samples import Tensor, Tensors


@dataclasses.dataclass
class Flow:
    """Parameters that get a gradient (`zero`: which is always zero), and parameters that get None."""

    reached: list[str] = dataclasses.field(default_factory=list)
    cut: list[str] = dataclasses.field(default_factory=list)
    zero: list[str] = dataclasses.field(default_factory=list)


def as_float(sample: object) -> bool:
    item = sample.items[0] if isinstance(sample, Tensors) and sample.items else sample
    return isinstance(item, Tensor) and item.dtype in ("float32", "float64", "complex64")


def flow(function, call: Call) -> Flow:
    """Each floating point input on its own, under a tape."""
    found = Flow()
    for name in call.tensors():
        if not as_float(call.given[name]):
            continue
        source = moved(make(call.given[name], "tensorflow"))
        try:
            with tf.GradientTape() as tape:
                tape.watch(source)
                result = run(function, call, "tensorflow", {name: source})
                targets = [leaf for leaf in tf.nest.flatten(result) if differentiable(leaf)]
            scales = [weights(target) for target in targets]
            gradients = tape.gradient(targets, source, scales) if targets else None
        except Exception:  # no gradient is defined: neither a gradient nor None
            continue
        real = [gradient for gradient in tf.nest.flatten(gradients) if gradient is not None]
        (found.reached if real else found.cut).append(name)
        if real and len(call.tensors()) == 1 and all(is_zero(gradient) for gradient in real):
            found.zero.append(name)  # of two inputs, one may have none only where the other is larger
    return found


def moved(source):
    """Other values than those of the other parameters: at equal values some gradients are zero by chance."""
    return tf.nest.map_structure(lambda tensor: tensor * tf.cast(0.7, tensor.dtype), source)


def weights(target):
    """Different weights for the elements: the plain sum of a softmax has no gradient."""
    return tf.cast(tf.reshape(tf.linspace(0.5, 1.5, tf.size(target)), tf.shape(target)), target.dtype)


def is_zero(gradient: object) -> bool:
    return isinstance(gradient, tf.Tensor) and not numpy.any(gradient.numpy())


def differentiable(leaf: object) -> bool:
    return isinstance(leaf, tf.Tensor) and (leaf.dtype.is_floating or leaf.dtype.is_complex)


def symbolic_outcome(function, call: Call, library: str, names: list[str]) -> str:
    """What tracing showed: "raises", "open" (a static size is unknown, no input's is), "works", or ""."""
    if not names:
        return ""
    seen = {}

    def traced(*tensors):
        made = dict(zip(names, tensors, strict=True))
        seen["result"] = run(function, call, library, made)
        return tf.constant(0)

    try:
        values = [make(call.given[name], "tensorflow") for name in names]
        tf.function(traced, autograph=False).get_concrete_function(*values)
    except Exception as error:
        return "raises" if "result" not in seen and is_about_tensor(error) else ""
    leaves = [leaf for leaf in tf.nest.flatten(seen["result"]) if is_array(leaf)]
    shapes = [leaf.shape for leaf in leaves if isinstance(leaf, tf.Tensor)]
    if len(shapes) == 1 and shapes[0].rank is None:
        return "open without rank"
    return "open" if any(not shape.is_fully_defined() for shape in shapes) else "works"


def is_about_tensor(error: Exception) -> bool:
    """The error is the one that symbolic tensors cause, not one of our arguments."""
    text = str(error)
    causes = (
        "symbolic",
        "Symbolic",
        "numpy",
        "NumPy",
        "EagerTensor",
        "KerasTensor",
        "Expected any non-tensor",
        "graph",
        "len is not well defined",
        "Iterating over",
    )
    return isinstance(error, NotImplementedError) or any(word in text for word in causes)


def numpy_symbolic(function, call: Call) -> bool | None:
    """True if each array argument, symbolic, raises; False if one works; None if there is none."""
    names = [name for name in call.tensors() if name != "self"]
    outcomes = {symbolic_outcome(function, call, "numpy", [name]) for name in names} - {""}
    if not outcomes:
        return None
    return outcomes == {"raises"}


def numpy_raises_anyhow(function, most: int = 2) -> bool:
    """A symbolic tensor alone, or up to `most` of them, raise the error that NumPy's conversion raises."""
    outcomes = set()
    with tf.Graph().as_default():
        symbolic = tf.ones([2, 2])
        for count in range(1, most + 1):
            try:
                function(*[symbolic] * count)
                outcomes.add("works")
            except NotImplementedError:
                outcomes.add("raises")
            except Exception:
                continue
    return outcomes == {"raises"}


__all__ = ["Flow", "flow", "numpy", "numpy_symbolic", "symbolic_outcome"]
