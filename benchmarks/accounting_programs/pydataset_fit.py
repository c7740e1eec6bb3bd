"""input: a `PyDataset` that sleeps and computes, drawn by `fit`."""

import time

import keras
import numpy as np
from injected import cost


class Data(keras.utils.PyDataset):
    def __len__(self):
        return 60

    def __getitem__(self, index):
        with cost():
            time.sleep(0.02)  # cost
            total = 0
            for number in range(200_000):  # cost
                total += number % 7  # cost
        return np.ones((32, 8), "float32"), np.ones((32, 1), "float32")


model = keras.Sequential([keras.Input([8]), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(Data(), verbose=0)  # caller
