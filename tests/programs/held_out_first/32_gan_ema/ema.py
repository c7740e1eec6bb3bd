import tensorflow as tf


class WeightAverage:
    """Exponential moving average of a model's weights."""

    def __init__(self, model, decay):
        self.model = model
        self.decay = decay
        self.shadow = {w.path: tf.convert_to_tensor(w.value) for w in model.trainable_variables}

    def update(self):
        for w in self.model.trainable_variables:
            old = self.shadow[w.path]
            self.shadow[w.path] = self.decay * old + (1.0 - self.decay) * w

    def copy_to(self, model):
        for mine, theirs in zip(self.model.trainable_variables, model.trainable_variables):
            theirs.assign(self.shadow[mine.path])
