"""Two-phase transfer: train a head on a frozen acoustic encoder, then unfreeze the encoder."""
import numpy as np
import keras
from keras import layers, ops
from tensorflow import GradientTape, constant
from tensorflow import function as graph


def acoustic_encoder(dim):
    enc = keras.Sequential(
        [
            keras.Input((dim,)),
            layers.Dense(32, activation="relu", name="enc_a"),
            layers.Dense(16, activation="relu", name="enc_b"),
        ],
        name="encoder",
    )
    return enc


def pretrain(encoder, x):
    decoder = layers.Dense(x.shape[1])
    ae = keras.Sequential([encoder, decoder])
    ae.compile("adam", "mse")
    ae.fit(x, x, epochs=2, batch_size=64, verbose=0)


def make_step(model, optimizer, loss_fn):
    @graph
    def step(x, y):
        with GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        variables = model.trainable_variables
        optimizer.apply(tape.gradient(loss, variables), variables)
        return loss

    return step


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for i in range(0, len(x), size):
        pick = order[i : i + size]
        yield constant(x[pick]), constant(y[pick])


def run_phase(name, step, x, y, epochs, rng):
    for epoch in range(epochs):
        losses = [float(step(bx, by)) for bx, by in batches(x, y, 64, rng)]
        print(f"{name} epoch {epoch}: {np.mean(losses):.4f}")


def main():
    keras.utils.set_random_seed(1)
    rng = np.random.default_rng(1)
    x = rng.normal(size=(512, 20)).astype("float32")
    y = (np.abs(x[:, 0]) + x[:, 1] - x[:, 2] > 0.8).astype("int32")

    encoder = acoustic_encoder(20)
    pretrain(encoder, x)

    encoder.trainable = False
    model = keras.Sequential([keras.Input((20,)), encoder, layers.Dense(2, name="head")])
    loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    optimizer = keras.optimizers.SGD(0.1)
    step = make_step(model, optimizer, loss_fn)
    run_phase("head", step, x, y, 3, rng)

    encoder.trainable = True
    step = make_step(model, keras.optimizers.SGD(0.05), loss_fn)
    run_phase("full", step, x, y, 5, rng)

    acc = ops.mean(ops.cast(ops.argmax(model(x), axis=-1) == y, "float32"))
    print(f"accuracy {float(acc):.3f}")


if __name__ == "__main__":
    main()
