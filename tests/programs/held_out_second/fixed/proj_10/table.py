import numpy as np
import tensorflow as tf

import schema


def customers(n=120, seed=0):
    rng = np.random.default_rng(seed)
    table = {name: rng.normal(size=n).astype("float32") for name in schema.NUMERIC}
    table.update({name: rng.integers(0, size, n).astype("int32") for name, size in schema.CATEGORICAL.items()})
    table[schema.LABEL] = (table["age"] - table["income"] + table["plan"] > 1).astype("float32")
    return tf.data.Dataset.from_tensor_slices(table).batch(30)
