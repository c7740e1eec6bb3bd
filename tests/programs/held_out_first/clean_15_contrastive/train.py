import keras

from callbacks import BestEpoch
from config import SETTINGS
from data import dataset
from model import Contrastive


def main():
    keras.utils.set_random_seed(15)
    model = Contrastive(SETTINGS)
    model.compile(optimizer=keras.optimizers.Adam(1e-2))
    model.optimizer.build(model.head.trainable_variables)
    best = BestEpoch()
    history = model.fit(dataset(SETTINGS), epochs=SETTINGS["epochs"], verbose=0, callbacks=[best])
    print("loss", [round(float(v), 2) for v in history.history["loss"]], "queue head", int(model.memory.head))


if __name__ == "__main__":
    main()
