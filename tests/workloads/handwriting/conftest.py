"""Small models and batches for the tests of the handwriting workload."""

import numpy as np
import pytest


@pytest.fixture
def batch():
    """Three lines of random points; the last is shorter, its text padded."""
    random = np.random.default_rng(5)
    points = random.normal(size=(3, 9, 3)).astype(np.float32)  # [batch, time, 3]
    points[..., 2] = random.random((3, 9)) < 0.3
    text = random.integers(1, 97, (3, 6)).astype(np.int32)  # [batch, text]
    text[2, 4:] = 0
    return {"points": points, "text": text}
