"""Keras: layers, models, training, optimizers, and the dtypes and shapes that they give."""
