"""A custom loop under a distribution strategy, with metrics that are reset every epoch."""
import keras
import numpy as np
import tensorflow as tf

GLOBAL_BATCH = 16


def build():
    return keras.Sequential([
        keras.Input((5,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dropout(0.1),
        keras.layers.Dense(3),
    ])


def dataset(seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(120, 5)).astype("float32")
    y = np.argmax(x[:, :3], axis=1).astype("int32")
    return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(120, seed=0).batch(GLOBAL_BATCH)


def main():
    keras.utils.set_random_seed(0)
    strategy = tf.distribute.OneDeviceStrategy("/cpu:0")
    with strategy.scope():
        model = build()
        optimizer = keras.optimizers.Adam(0.01)
        optimizer.build(model.trainable_variables)
        seen_loss = keras.metrics.Mean()
        seen_acc = keras.metrics.SparseCategoricalAccuracy()

    def replica_step(batch):
        x, y = batch
        with tf.GradientTape() as tape:
            logits = model(x, training=True)
            per_example = tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits)
            loss = tf.nn.compute_average_loss(per_example, global_batch_size=GLOBAL_BATCH)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        seen_acc.update_state(y, logits)
        return loss

    @tf.function
    def epoch_fn(iterator, steps):
        for _ in tf.range(steps):
            per_replica = strategy.run(replica_step, args=(next(iterator),))
            seen_loss.update_state(strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica, axis=None))

    ds = dataset().repeat()
    iterator = iter(strategy.experimental_distribute_dataset(ds))
    for epoch in range(4):
        epoch_fn(iterator, tf.constant(8))
        print("epoch %d loss %.4f acc %.3f" % (epoch, float(seen_loss.result()), float(seen_acc.result())))
        for metric in (seen_loss, seen_acc):
            metric.reset_state()


if __name__ == "__main__":
    main()
