"""Thin wrapper around tf.summary so that the rest of the code does not care about steps."""
import tensorflow as tf


class Monitor:
    def __init__(self, logdir):
        self.writer = tf.summary.create_file_writer(logdir)
        self.step = tf.Variable(0, dtype=tf.int64, trainable=False)

    def advance(self):
        """Call once per optimisation step."""
        self.step.assign_add(1)

    def scalars(self, prefix, **values):
        with self.writer.as_default():
            for name, value in values.items():
                tf.summary.scalar(f"{prefix}/{name}", value, step=self.step)

    def flush(self):
        self.writer.flush()
