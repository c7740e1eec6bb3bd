"""A function → what AutoGraph and the tracer made of it; the TensorFlow inside is imported when used."""

from graphdoctor.autograph.explaining import explain
from graphdoctor.autograph.facts import Explanation

__all__ = ["Explanation", "explain"]
