import tensorflow as tf

from masklog.data import dataset
from masklog.train import Pretrainer

if __name__ == "__main__":
    tf.keras.utils.set_random_seed(7)
    Pretrainer().fit(dataset())
