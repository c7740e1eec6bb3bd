from .config import CVConfig

__all__ = ["CVConfig"]
