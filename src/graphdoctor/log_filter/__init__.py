"""What TensorFlow says about itself when it starts: which lines these are, and how they are left out.

Only the standard library is imported here, because a trainer's own environment may hold nothing else.
"""

from graphdoctor.log_filter.hiding import hide_log_noise
from graphdoctor.log_filter.lines import without_log, without_log_noise

__all__ = ["hide_log_noise", "without_log", "without_log_noise"]
