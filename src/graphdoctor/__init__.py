"""graphdoctor finds, explains, fixes and prevents what breaks or slows TensorFlow in graph mode."""

from graphdoctor.version import __version__

__all__ = ["__version__"]
