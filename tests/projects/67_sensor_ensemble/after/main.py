import tensorflow as tf

from sensors.ensemble import Ensemble
from sensors.fitting import Fitter

ensemble = Ensemble(members=3)
fitter = Fitter(ensemble)
for _ in range(3):
    fitter.epoch(tf.ones([4, 2]), tf.zeros([4, 1]))
print("done")
