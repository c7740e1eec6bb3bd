"""`functools.partial(function, …)` → the function itself, and the arguments that are fixed."""

import functools
from typing import Any

from graphdoctor.autograph import tensorflow_internals as internals


def open_partial(function: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """What a partial object calls, and the arguments it fixes; anything else as it is."""
    inside = internals.plain_function(function) if internals.is_graph_function(function) else function
    if not isinstance(inside, functools.partial):
        return function, (), {}
    inner, args, kwargs = open_partial(inside.func)
    return inner, (*args, *inside.args), {**kwargs, **inside.keywords}
