import tensorflow as tf

strategy = tf.distribute.get_strategy()


class Loop:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.mean = tf.keras.metrics.Mean()
        self.best = float("inf")

    def replica(self, batch):
        x, y = batch
        with tf.GradientTape() as tape:
            loss = tf.nn.compute_average_loss(tf.square(self.model(x)[:, 0] - y), global_batch_size=32)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        self.mean.update_state(loss)
        return loss

    @tf.function
    def epoch(self, data):
        total, batches = 0.0, 0
        for batch in data:
            total += strategy.reduce(tf.distribute.ReduceOp.SUM, strategy.run(self.replica, args=(batch,)), axis=None)
            batches += 1
        return total / tf.cast(batches, tf.float32)

    def fit(self, data, epochs):
        for number in range(epochs):
            loss = self.epoch(data).numpy()
            if loss < self.best:
                self.best = loss
                self.model.save_weights(f"best-{number}.weights.h5")
            self.mean.reset_state()
