"""A program → its training in other ways, each measured on a copy and compared with the program as it is."""

from graphdoctor.tuning.tuning import Tuner

__all__ = ["Tuner"]
