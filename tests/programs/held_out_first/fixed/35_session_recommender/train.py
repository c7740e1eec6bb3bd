from tensorflow import keras

import config
from data import sessions
from model import Recommender


def main():
    keras.utils.set_random_seed(35)
    model = Recommender(config.ITEMS, config.DIM)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    history = model.fit(sessions(), epochs=config.EPOCHS, verbose=0)
    print("loss", [round(v, 3) for v in history.history["loss"]])


if __name__ == "__main__":
    main()
