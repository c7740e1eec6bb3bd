import tensorflow as tf

from datasets import noisy
from models import logistic
from tasks import NoisyLabels

if __name__ == "__main__":
    tf.keras.utils.set_random_seed(0)
    trainer = NoisyLabels(logistic(4), tf.keras.optimizers.Adam(0.02))
    print("loss %.4f" % trainer.fit(noisy(), epochs=15))
