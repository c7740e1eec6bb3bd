"""graphdoctor finds, explains, fixes and prevents what breaks or slows TensorFlow in graph mode."""

from typing import Any

from graphdoctor.version import __version__

__all__ = ["__version__", "explain_gradient"]


def __getattr__(name: str) -> Any:
    """What needs TensorFlow is loaded when it is asked for."""
    if name == "explain_gradient":
        from graphdoctor.gradients.explain import explain_gradient

        return explain_gradient
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
