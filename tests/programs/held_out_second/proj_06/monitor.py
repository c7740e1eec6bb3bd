import tensorflow as tf

from names import tag


class Monitor(tf.Module):
    """Counts which expert or class each example was given to, as a table by name."""

    def __init__(self):
        super().__init__()
        self.table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=0)

    def seen(self, group, value):
        key = tf.constant(tag(group, value))
        self.table.insert(key, self.table.lookup(key) + 1)

    def export(self):
        keys, counts = self.table.export()
        return {k.decode(): int(c) for k, c in zip(keys.numpy(), counts.numpy())}
