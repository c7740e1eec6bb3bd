import keras

from birdsong.losses import MarginLoss
from birdsong.schedules import MarginSchedule


def make_model():
    return keras.Sequential([keras.Input((10,)), keras.layers.Dense(1, kernel_initializer="zeros")])


def train(model, calls, species):
    loss = MarginLoss(0.2)
    model.compile(optimizer=keras.optimizers.SGD(0.0), loss=loss)
    history = model.fit(calls, species, epochs=3, verbose=0, callbacks=[MarginSchedule(loss, 0.5)])
    return history.history["loss"]
