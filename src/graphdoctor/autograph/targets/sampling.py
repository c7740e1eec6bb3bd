"""Specifications → concrete values to run a function with."""

from typing import Any

from graphdoctor.errors import ExplainError

UNKNOWN_SIZE = 3


def concrete_values(structure: Any) -> Any:
    """The structure with each TensorSpec replaced by a tensor of it; unknown sizes become 3."""
    import numpy as np
    import tensorflow as tf

    generator = np.random.default_rng(0)
    return tf.nest.map_structure(lambda leaf: _sample(leaf, generator), structure)


def _sample(leaf: Any, generator: Any) -> Any:
    import tensorflow as tf

    if not isinstance(leaf, tf.TypeSpec):
        return leaf
    if not isinstance(leaf, tf.TensorSpec) or leaf.shape.rank is None:
        raise ExplainError(f"--compare needs a value for {leaf}: give one with --arg NAME=VALUE")
    shape = [UNKNOWN_SIZE if size is None else size for size in leaf.shape]
    if leaf.dtype.is_floating or leaf.dtype.is_complex:
        return tf.constant(generator.normal(size=shape), leaf.dtype)
    if leaf.dtype.is_integer:
        return tf.constant(generator.integers(0, UNKNOWN_SIZE, size=shape), leaf.dtype)
    if leaf.dtype.is_bool:
        return tf.constant(generator.integers(0, 2, size=shape).astype(bool))
    return tf.fill(shape, tf.constant("a", leaf.dtype))
