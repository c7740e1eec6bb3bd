"""Draws of TensorFlow that depend on their shape alone: then two programs draw the same in any order.

Read and run on 2.21: the Python functions of TensorFlow and Keras draw by the generated functions of these
modules, which they look up at each call.
"""

import contextlib
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.witness import tensorflow_internals as internals

PHILOX = 1
STATEFUL = {
    "random_uniform": "stateless_random_uniform_v2",
    "random_standard_normal": "stateless_random_normal_v2",
    "truncated_normal": "stateless_truncated_normal_v2",
    "random_uniform_int": "stateless_random_uniform_int_v2",
}
STATELESS = (*STATEFUL.values(), "stateless_random_uniform_full_int_v2", "stateless_random_gamma_v3")


def pin_draws(tensorflow: Any) -> None:
    """Let every draw give what one key gives for its shape; what is shuffled stays as it is."""
    with contextlib.suppress(Exception):
        gen_random_ops, gen_stateless_random_ops_v2 = internals.drawing_modules()
        for name in STATELESS:
            draw = getattr(gen_stateless_random_ops_v2, name)
            setattr(gen_stateless_random_ops_v2, name, _with_one_key(draw, tensorflow))
        for name, stateless in STATEFUL.items():
            draw = getattr(gen_stateless_random_ops_v2, stateless)
            setattr(gen_random_ops, name, _without_state(draw))
        gen_random_ops.random_shuffle = _as_it_is


def _with_one_key(draw: Callable[..., Any], tensorflow: Any) -> Callable[..., Any]:
    def pinned(shape: Any, key: Any, counter: Any, alg: Any, *rest: Any, **named: Any) -> Any:
        one = tensorflow.constant([1], tensorflow.uint64)
        none = tensorflow.constant([0, 0], tensorflow.uint64)
        return draw(shape, one, none, PHILOX, *rest, **named)

    return pinned


def _without_state(draw: Callable[..., Any]) -> Callable[..., Any]:
    def pinned(shape: Any, *rest: Any, seed: Any = 0, seed2: Any = 0, **named: Any) -> Any:
        return draw(shape, None, None, None, *rest, **named)

    return pinned


def _as_it_is(value: Any, *_rest: Any, **_named: Any) -> Any:
    return value
