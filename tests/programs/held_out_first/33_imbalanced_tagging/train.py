from tensorflow import keras

import config
import data
import model as models
from utils import LabelStatistics


def main():
    args = config.parse([])
    keras.utils.set_random_seed(5)
    statistics = LabelStatistics()
    dataset = data.prepare(args, statistics)
    for _ in dataset:
        pass
    print(statistics.summary(), "of", args.examples)
    model = models.build(args.classes)
    history = model.fit(dataset, epochs=args.epochs, verbose=0)
    print("loss", [round(v, 3) for v in history.history["loss"]])


if __name__ == "__main__":
    main()
