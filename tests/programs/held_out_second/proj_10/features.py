import tensorflow as tf

import schema


def one_hot(column, size):
    return tf.one_hot(column, size)


def assemble(row):
    parts = [row[name][:, None] for name in schema.NUMERIC]
    parts += [one_hot(row[name], size) for name, size in schema.CATEGORICAL.items()]
    return tf.concat(parts, axis=1)


def split_label(row):
    label = row.pop(schema.LABEL)
    return assemble(row), label
