import tensorflow as tf


class Engine:
    def __init__(self, model, tracker, lr=0.5):
        self.model = model
        self.tracker = tracker
        self.lr = lr

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
        grads = tape.gradient(loss, self.model.trainable_variables)
        for v, g in zip(self.model.trainable_variables, grads):
            v.assign_sub(self.lr * g)
        hits = tf.cast(tf.equal(logits > 0.0, y > 0.5), tf.float32)
        return {"loss": loss, "accuracy": tf.reduce_mean(hits)}

    def epoch(self, ds):
        for x, y in ds:
            self.tracker.add(**self.step(x, y))
        return self.tracker.flush()
