import keras


def settle(index, load):
    """A layer of snow on top of what lies there; too much of it slides."""
    load = keras.ops.where(load > 3.0, load * 0.5, load)
    return load + 1.0
