import tensorflow as tf

import config
import data
from model import classifier
from steps import accuracy, make_train_step


def run_fold(train, held_out):
    model = classifier()
    optimizer = tf.keras.optimizers.Adam(config.RATE)
    train_step = make_train_step(model, optimizer)
    for _ in range(config.EPOCHS):
        for x, y in data.batches(*train, config.BATCH):
            train_step(x, y)
    return accuracy(model, *held_out)


def main():
    tf.keras.utils.set_random_seed(37)
    scores = []
    for number, (train, held_out) in enumerate(data.folds(config.FOLDS)):
        scores.append(run_fold(train, held_out))
        print("fold %d accuracy %.2f" % (number, scores[-1]))
    print("mean %.2f" % (sum(scores) / len(scores)))


if __name__ == "__main__":
    main()
