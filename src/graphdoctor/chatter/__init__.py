"""What TensorFlow says about itself when it starts: which lines these are, and how they are left out.

Only the standard library is imported here, because a trainer's own environment may hold nothing else.
"""

from graphdoctor.chatter.hiding import hide_chatter
from graphdoctor.chatter.lines import without_chatter, without_log

__all__ = ["hide_chatter", "without_chatter", "without_log"]
