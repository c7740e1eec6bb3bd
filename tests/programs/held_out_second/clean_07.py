"""Variable length batches, bucketed so that only three lengths exist."""
import numpy as np
import tensorflow as tf

BUCKETS = (8, 16, 24)


def sequences(n=60, seed=0):
    rng = np.random.default_rng(seed)
    for _ in range(n):
        yield rng.normal(size=(int(rng.integers(3, 24)), 4)).astype("float32")


def bucketed():
    ds = tf.data.Dataset.from_generator(sequences, output_signature=tf.TensorSpec([None, 4], tf.float32))
    return ds.bucket_by_sequence_length(lambda x: tf.shape(x)[0], [b + 1 for b in BUCKETS[:-1]], [6] * 3,
                                        pad_to_bucket_boundary=False, drop_remainder=True)


gru = tf.keras.layers.GRU(8)
gru.build((None, None, 4))


@tf.function(input_signature=[tf.TensorSpec([6, None, 4], tf.float32)])
def encode(batch):
    return gru(batch)


def main():
    total = tf.zeros([8])
    for batch in bucketed():
        total += tf.reduce_sum(encode(batch), 0)
    print(total.shape)


if __name__ == "__main__":
    main()
