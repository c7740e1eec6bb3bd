"""graphdoctor finds, explains, fixes and prevents what breaks or slows TensorFlow in graph mode."""

from typing import TYPE_CHECKING, Any

from graphdoctor.version import __version__

if TYPE_CHECKING:
    from graphdoctor.autograph import explain

__all__ = ["__version__", "explain"]


def __getattr__(name: str) -> Any:
    """Load `explain`, and the TensorFlow behind it, when it is first asked for."""
    if name == "explain":
        from graphdoctor.autograph import explain

        return explain
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
