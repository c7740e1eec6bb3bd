import keras
import tensorflow as tf

from objectives import tagging_loss, token_accuracy


class Engine:
    """Holds the compiled train / eval functions."""

    def __init__(self, model, cfg):
        self.model = model
        self.cfg = cfg
        self.opt = keras.optimizers.Adam(cfg["lr"], global_clipnorm=cfg["clip"])
        self.opt.build(model.trainable_variables)
        self.train_fn = tf.function(self._train, jit_compile=cfg["xla"])
        self.eval_fn = tf.function(self._eval, jit_compile=cfg["xla"])

    def _train(self, tokens, tags, lengths):
        with tf.GradientTape() as tape:
            logits = self.model(tokens, training=True)
            loss = tagging_loss(lengths, tags, logits)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def _eval(self, tokens, tags, lengths):
        logits = self.model(tokens, training=False)
        return token_accuracy(lengths, tags, logits)

    def run(self, train, test):
        for epoch in range(self.cfg["epochs"]):
            losses = [float(self.train_fn(*batch)) for batch in train]
            accs = [float(self.eval_fn(*batch)) for batch in test]
            print(f"epoch {epoch}: loss {sum(losses) / len(losses):.3f} acc {sum(accs) / len(accs):.3f}")
