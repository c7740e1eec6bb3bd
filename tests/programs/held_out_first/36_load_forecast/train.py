import tensorflow as tf

import data
from config import ForecastConfig
from model import one_step
from rollout import rollout_loss


def make_step(model, optimizer):
    optimizer.build(model.trainable_variables)

    @tf.function
    def step(window, future):
        with tf.GradientTape() as tape:
            loss = rollout_loss(model, window, future)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step


def main():
    tf.keras.utils.set_random_seed(36)
    cfg = ForecastConfig()
    step = make_step(one_step(cfg), tf.keras.optimizers.Adam(5e-3))
    for epoch in range(cfg.epochs):
        losses = [float(step(window, future)) for window, future in data.windows(cfg)]
        print("epoch %d loss %.3f" % (epoch, sum(losses) / len(losses)))


if __name__ == "__main__":
    main()
