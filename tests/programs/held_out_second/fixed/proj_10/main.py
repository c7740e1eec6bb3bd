import tensorflow as tf

from churn import ChurnModel
from table import customers


def main():
    tf.keras.utils.set_random_seed(0)
    model = ChurnModel()
    for _ in range(3):
        for row in customers():
            loss = model.train(row)
    print("loss %.4f" % float(loss))


if __name__ == "__main__":
    main()
