from .config import HParams
from .model import Ranker

__all__ = ["HParams", "Ranker"]
