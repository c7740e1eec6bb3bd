"""graphdoctor finds, explains, fixes and prevents what breaks or slows TensorFlow in graph mode."""

import importlib
from typing import TYPE_CHECKING, Any

from graphdoctor.version import __version__

if TYPE_CHECKING:
    from graphdoctor.autograph import Explanation, explain
    from graphdoctor.errors import RetraceError
    from graphdoctor.gradients.explain import explain_gradient
    from graphdoctor.integrations.limits import max_traces, no_retrace
    from graphdoctor.integrations.observation import Observation, observe

__all__ = [
    "Explanation",
    "Observation",
    "RetraceError",
    "__version__",
    "explain",
    "explain_gradient",
    "max_traces",
    "no_retrace",
    "observe",
]

# Each is loaded when it is first asked for: importing graphdoctor costs next to nothing.
_PLACES = {
    "Explanation": "graphdoctor.autograph",
    "Observation": "graphdoctor.integrations.observation",
    "RetraceError": "graphdoctor.errors",
    "explain": "graphdoctor.autograph",
    "explain_gradient": "graphdoctor.gradients.explain",
    "max_traces": "graphdoctor.integrations.limits",
    "no_retrace": "graphdoctor.integrations.limits",
    "observe": "graphdoctor.integrations.observation",
}


def __getattr__(name: str) -> Any:
    if name == "keras":  # a module of its own: it cannot be loaded where there is no Keras
        return importlib.import_module("graphdoctor.keras")
    if name not in _PLACES:
        raise AttributeError(f"module 'graphdoctor' has no attribute {name!r}")
    return getattr(importlib.import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext graphdoctor` calls."""
    from graphdoctor.integrations.notebook import register

    register(shell)
