"""Bookkeeping shared by all trainers."""
import collections

import numpy as np


class History:
    """Collects values during an epoch; `summarise` returns the means and starts over."""

    def __init__(self):
        self._values = collections.defaultdict(list)
        self.epochs = []

    def record(self, **values):
        for name, value in values.items():
            self._values[name].append(value)

    def summarise(self):
        row = {name: float(np.mean(vals)) for name, vals in self._values.items()}
        self.epochs.append(row)
        self._values.clear()
        return row
