import numpy as np
import tensorflow as tf

from imaging.score import BrightnessModel
from imaging.signatures import IMAGES


class Service:
    def __init__(self):
        self.model = BrightnessModel()
        self.endpoint = tf.function(self.model.__call__, input_signature=[IMAGES])

    def handle(self, batch):
        return self.endpoint(tf.constant(batch)).numpy()


def main():
    rng = np.random.default_rng(5)
    rgb = rng.uniform(0.0, 0.5, size=(2, 8, 8, 3)).astype("float32")
    rgba = np.concatenate([rgb, np.ones((2, 8, 8, 1), "float32")], axis=-1)
    service = Service()
    print("rgb ", service.handle(rgb))
    print("rgba", service.handle(rgba))


if __name__ == "__main__":
    main()
