import keras
import numpy as np

from .data import SIZE, pipeline
from .net import build
from .stats import brightness_levels


def main():
    keras.utils.set_random_seed(0)
    ds = pipeline()
    model = build(SIZE)
    model.compile(keras.optimizers.Adam(0.02), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    hist = model.fit(ds, epochs=2, verbose=0)
    print("loss", ["%.3f" % v for v in hist.history["loss"]])
    levels = brightness_levels(ds)
    print("brightness from %.3f to %.3f, %d different" % (levels.min(), levels.max(), len(np.unique(levels))))


if __name__ == "__main__":
    main()
