"""Functional Keras model with dict inputs and lists of branches."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

NUMERIC = ["age", "income"]
CATEGORICAL = {"city": 5, "plan": 3}


def build():
    inputs, parts = {}, []
    for name in NUMERIC:
        inputs[name] = keras.Input((1,), name=name)
        parts.append(layers.Dense(4, activation="relu")(inputs[name]))
    for name, size in CATEGORICAL.items():
        inputs[name] = keras.Input((), dtype="int32", name=name)
        parts.append(layers.Embedding(size, 3)(inputs[name]))
    h = layers.Concatenate()(parts)
    towers = [layers.Dense(8, activation=a)(h) for a in ("relu", "tanh")]
    gate = layers.Dense(len(towers), activation="softmax")(h)
    mixed = sum(t * gate[:, i : i + 1] for i, t in enumerate(towers))
    return keras.Model(inputs, {"churn": layers.Dense(1, name="churn")(mixed), "spend": layers.Dense(1, name="spend")(h)})


def customers(n=200):
    rng = np.random.default_rng(4)
    data = {k: rng.normal(size=(n, 1)).astype("float32") for k in NUMERIC}
    data.update({k: rng.integers(0, v, n).astype("int32") for k, v in CATEGORICAL.items()})
    y = {"churn": (data["age"] > 0).astype("float32"), "spend": data["income"] * 2 + 1}
    return data, y


def main():
    keras.utils.set_random_seed(0)
    x, y = customers()
    model = build()
    model.compile(
        optimizer="adam",
        loss={"churn": keras.losses.BinaryCrossentropy(from_logits=True), "spend": "mse"},
    )
    ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(50)
    for _ in range(2):
        history = model.fit(ds, epochs=1, verbose=0)
    out = model.predict(x, verbose=0)
    print(round(history.history["loss"][0], 3), {k: v.shape for k, v in out.items()})


if __name__ == "__main__":
    main()
