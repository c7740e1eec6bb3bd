import numpy as np
import tensorflow as tf

from kiln.firing import Firings
from kiln.regressor import ShrinkageRegressor
from kiln.settings import KilnSettings

settings = KilnSettings()
firings, regressor = Firings(settings.seed), ShrinkageRegressor(settings)
for _ in range(settings.steps):
    regressor.update(*firings.batch(12))
before = [w.numpy() for w in regressor.weights]
curve, shrink = firings.batch(12)
regressor._update(curve, shrink + 1000.0)
moved = np.sqrt(sum(np.sum((w.numpy() - b) ** 2) for w, b in zip(regressor.weights, before)))
used, now = moved / settings.learning_rate, float(regressor.clip)
print("clip at start", settings.clip, "now", round(now, 4), "used by the graph", round(float(used), 4), "agree", abs(used - now) < 1e-3)
