import tensorflow as tf


def global_norm(tensors):
    return tf.linalg.global_norm(tensors)


class Loop:
    def __init__(self, model, monitor, lr=2e-3, clip=1.0):
        self.model = model
        self.monitor = monitor
        self.opt = tf.keras.optimizers.Adam(lr)
        self.opt.build(model.trainable_variables)
        self.loss_fn = tf.keras.losses.Huber()
        self.clip = clip

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        norm = global_norm(grads)
        grads, _ = tf.clip_by_global_norm(grads, self.clip, use_norm=norm)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        self.monitor.advance()
        self.monitor.scalars("train", loss=loss, grad_norm=norm)
        return loss

    def run(self, ds, epochs):
        for epoch in range(epochs):
            last = None
            for x, y in ds:
                last = self.train_step(x, y)
            print(f"epoch {epoch} loss {float(last):.4f}")
        self.monitor.flush()
