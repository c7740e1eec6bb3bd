from .mixer import Mixer
from .search import RecipeSearch

__all__ = ["Mixer", "RecipeSearch"]
