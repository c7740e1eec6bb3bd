import keras
import tensorflow as tf

import settings
from data import triplet_batches
from losses import REGISTRY
from model import Encoder


def step(encoder, criterion, optimizer, batch):
    with tf.GradientTape() as tape:
        loss = criterion(*(encoder(x) for x in batch))
    grads = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(grads, encoder.trainable_variables))
    return float(loss)


def main():
    keras.utils.set_random_seed(0)
    encoder = Encoder(settings.DIM)
    criterion = REGISTRY[settings.LOSS](settings.MARGIN)
    optimizer = keras.optimizers.Adam(1e-2)
    for i, batch in enumerate(triplet_batches(settings.STEPS, settings.BATCH)):
        value = step(encoder, criterion, optimizer, batch)
        if i % 10 == 0:
            print(f"step {i} loss {value:.4f}")


if __name__ == "__main__":
    main()
