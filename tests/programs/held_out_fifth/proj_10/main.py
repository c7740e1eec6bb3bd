import keras
import numpy as np

from network import Regressor


def main():
    keras.utils.set_random_seed(2)
    rng = np.random.default_rng(2)
    x = rng.normal(size=(200, 5)).astype("float32")
    y = np.tanh(x[:, :1] * x[:, 1:2]).astype("float32")
    model = Regressor()
    model.compile(optimizer="adam", loss="mse")
    hist = model.fit(x, y, epochs=3, batch_size=50, verbose=0)
    print("loss", [round(v, 4) for v in hist.history["loss"]])


if __name__ == "__main__":
    main()
