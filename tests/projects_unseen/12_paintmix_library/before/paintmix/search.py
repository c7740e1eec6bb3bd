import tensorflow as tf


class RecipeSearch:
    """Gradient search for the amounts that give a colour.

    `sharpness` favours recipes of few pigments; raise it when a recipe has too many.
    """

    def __init__(self, mixer, sharpness=1.0, rate=0.2):
        self.mixer = mixer
        self.sharpness = sharpness
        self.rate = rate
        self.logits = tf.Variable(tf.zeros([len(mixer.pigment_names)]))

    def set_sharpness(self, sharpness):
        if sharpness <= 0:
            raise ValueError("sharpness must be positive")
        self.sharpness = float(sharpness)

    def amounts(self):
        return tf.nn.softmax(self.sharpness * self.logits)

    @tf.function
    def _descend(self, target):
        with tf.GradientTape() as tape:
            error = tf.reduce_sum(tf.square(self.mixer(self.amounts()) - target))
        self.logits.assign_sub(self.rate * tape.gradient(error, self.logits))
        return error

    def find(self, target, steps=50):
        target = tf.convert_to_tensor(target, tf.float32)
        for _ in range(steps):
            error = self._descend(target)
        names = self.mixer.pigment_names
        return dict(zip(names, self.amounts().numpy().tolist())), float(error)
