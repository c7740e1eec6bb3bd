"""Online estimate of air quality from weather stations; not every station has every sensor."""
from dataclasses import dataclass, field
import random

import numpy as np
import tensorflow as tf

SENSORS = ("temp", "humidity", "pressure", "wind", "no2", "pm10")


@dataclass
class Record:
    target: float
    readings: dict = field(default_factory=dict)

    def features(self):
        return {name: tf.constant([0.0 if value is None else value], tf.float32)
                for name, value in self.readings.items()}


def stream(n, seed=3):
    rnd = random.Random(seed)
    for _ in range(n):
        readings = {}
        for s in SENSORS:
            readings[s] = rnd.gauss(0.0, 1.0) if rnd.random() < 0.7 else None
        known = [v for v in readings.values() if v is not None]
        yield Record(target=sum(known) * 0.5, readings=readings)


class OnlineRegressor(tf.Module):
    def __init__(self, names, lr=0.05):
        super().__init__()
        self.coef = {n: tf.Variable(0.0, name=n) for n in names}
        self.bias = tf.Variable(0.0, name="bias")
        self.lr = lr

    def predict(self, features):
        out = self.bias
        for name, value in features.items():
            out = out + self.coef[name] * value[0]
        return out

    @tf.function
    def update(self, features, target):
        variables = list(self.coef.values()) + [self.bias]
        with tf.GradientTape() as tape:
            err = tf.square(self.predict(features) - target)
        grads = tape.gradient(err, variables, unconnected_gradients="zero")
        for v, g in zip(variables, grads):
            v.assign_sub(self.lr * g)
        return err


def main():
    reg = OnlineRegressor(SENSORS)
    errors = []
    for record in stream(120):
        target = tf.constant(record.target, tf.float32)
        errors.append(float(reg.update(record.features(), target)))
    print("first 20: %.4f" % np.mean(errors[:20]))
    print("last 20:  %.4f" % np.mean(errors[-20:]))


if __name__ == "__main__":
    main()
