"""Keras 3 builds a layer without `build()` by running its `call` in a scope where variables have no value."""

import sys
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.replacing import replaced

SCOPES = "keras.src.backend.common.stateless_scope"
LAYERS = "keras.src.layers.layer"
VARIABLES = "keras.src.backend.common.variables"


def is_building() -> bool:
    """Whether this thread runs code in a scope of Keras 3 that lets no variable be made."""
    scopes = sys.modules.get(SCOPES)
    return scopes is not None and bool(scopes.in_stateless_scope())


def layers_being_built() -> list[str]:
    """The classes of the layers that this thread builds by running their `call`, outermost first."""
    found: list[str] = []
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_name == "_maybe_build" and frame.f_globals.get("__name__") == LAYERS:
            found.append(type(frame.f_locals["self"]).__name__)
        frame = frame.f_back  # type: ignore[assignment]
    return found[::-1]


def hook_missing_values(read: Callable[[Any], None]) -> Callable[[], None]:
    """Call `read(variable)` each time that a variable without a value gives what its initializer does."""
    kind = sys.modules[VARIABLES].Variable
    value = kind.value

    def value_of(variable: Any) -> Any:
        if variable._value is None:
            read(variable)
        return value.fget(variable)

    return replaced(kind, "value", property(value_of, value.fset, value.fdel, value.__doc__))
