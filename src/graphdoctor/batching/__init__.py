"""Lengths → buckets → batches of few shapes: a known number of traces.

Usable on its own: planning needs neither TensorFlow nor the rest of graphdoctor. What builds
`tf.data` pipelines lives in `dataset`, and is loaded when first asked for.
"""

from typing import TYPE_CHECKING, Any

from graphdoctor.batching.costs import Costs, measure_costs
from graphdoctor.batching.errors import BatchingError, OverlongWarning
from graphdoctor.batching.histogram import LengthHistogram
from graphdoctor.batching.layout import Layout
from graphdoctor.batching.plan import Bucket, Choice, Overlong, Plan
from graphdoctor.batching.planning import plan_buckets
from graphdoctor.batching.recommendation import Estimate, Recommendation, recommend
from graphdoctor.batching.strategies import Buckets, Fixed, SortedPools, Strategy

if TYPE_CHECKING:
    from graphdoctor.batching.dataset import (
        Examples,
        bucket_signatures,
        make_dataset,
        scan_lengths,
        signature,
    )

__all__ = [
    "BatchingError",
    "Bucket",
    "Buckets",
    "Choice",
    "Costs",
    "Estimate",
    "Examples",
    "Fixed",
    "Layout",
    "LengthHistogram",
    "Overlong",
    "OverlongWarning",
    "Plan",
    "Recommendation",
    "SortedPools",
    "Strategy",
    "bucket_signatures",
    "make_dataset",
    "measure_costs",
    "plan_buckets",
    "recommend",
    "scan_lengths",
    "signature",
]

_NEED_TENSORFLOW = {"Examples", "bucket_signatures", "make_dataset", "scan_lengths", "signature"}


def __getattr__(name: str) -> Any:
    if name not in _NEED_TENSORFLOW:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from graphdoctor.batching import dataset

    return getattr(dataset, name)
