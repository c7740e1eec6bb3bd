"""A handwriting model with an attention window over its characters, as people write it, in several forms.

`call` loops over the length of its strokes, appends to lists and reads the last element of one.
"""

HEAD = {
    "keras": "import keras\nimport tensorflow as tf\n",
    "tf.keras": "import tensorflow as tf\n",
    "tf_keras": "import tensorflow as tf\nimport tf_keras\n",
}
MODEL = '''

class HandwritingModel({keras}.Model):
    """LSTM layers with an attention window over the characters."""

    def __init__(self, units=12, mixtures=3):
        super().__init__()
        self.mixtures = mixtures
        self.lstm0 = {keras}.layers.LSTM(units, return_sequences=True)
        self.window = {keras}.layers.Dense(3 * mixtures)
        self.lstm1 = {keras}.layers.LSTM(units, return_sequences=True)
        self.mdn = {keras}.layers.Dense(6 * mixtures + 1)

    def get_window(self, lstm_out, prev_kappa, char_seq):
        params = tf.exp(self.window(lstm_out))[:, :, None]
        alpha, beta, delta = tf.split(params, 3, axis=1)
        kappa = prev_kappa + delta / 10.0
        u = tf.range(tf.shape(char_seq)[1], dtype=tf.float32)[None, None, :]
        phi = tf.reduce_sum(alpha * tf.exp(-beta * tf.square(kappa - u)), axis=1, keepdims=True)
        window = tf.squeeze(tf.matmul(phi, char_seq), axis=1)
        return window, phi, kappa

    def call(self, inputs, training=False):
        stroke_data, char_seq = inputs
        lstm0_out = self.lstm0(stroke_data)
        kappa = tf.zeros([tf.shape(stroke_data)[0], self.mixtures, 1])
        timesteps = tf.shape(stroke_data)[1]
        windows = []
        phis = []
        kappas = [kappa]
        for t in range(timesteps):
            lstm0_t = lstm0_out[:, t, :]
            window, phi, kappa = self.get_window(lstm0_t, kappas[-1], char_seq)
            windows.append(window)
            phis.append(phi)
            kappas.append(kappa)
        windows = tf.stack(windows, axis=1)
        phis = tf.stack(phis, axis=1)
        lstm1_out = self.lstm1(tf.concat([stroke_data, lstm0_out, windows], axis=-1))
        return {{"mdn": self.mdn(lstm1_out), "phi": phis, "kappa": kappas[-1]}}
'''
TRAINING = """

model = HandwritingModel()
optimizer = {keras}.optimizers.SGD(0.1)


@tf.function{signature}
def train_step(strokes, chars, targets):
    with tf.GradientTape() as tape:
        outputs = model((strokes, chars), training=True)
        loss = tf.reduce_mean(tf.square(outputs["mdn"][:, :, :3] - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for step in range(2):
    strokes = tf.random.stateless_normal([4, 6, 3], [1, step])
    chars = tf.one_hot(tf.random.stateless_uniform([4, 5], [2, step], maxval=9, dtype=tf.int32), 9)
    print("step", step, "loss", float(train_step(strokes, chars, tf.roll(strokes, -1, axis=1))))
"""
UNKNOWN_SIZES = """(
    input_signature=[
        tf.TensorSpec([None, None, 3]),
        tf.TensorSpec([None, None, 9]),
        tf.TensorSpec([None, None, 3]),
    ]
)"""
KNOWN_LENGTH = UNKNOWN_SIZES.replace("None, None", "None, 6", 1)
OWN_TRAIN_STEP = """
    def train_step(self, data):
        inputs, targets = data
        with tf.GradientTape() as tape:
            outputs = self(inputs, training=True)
            losses = [tf.zeros([])]
            for t in range(tf.shape(targets)[1]):
                error = outputs["mdn"][:, t, :3] - targets[:, t]
                losses.append(0.5 * losses[-1] + tf.reduce_mean(tf.square(error)))
            loss = tf.reduce_mean(tf.stack(losses[1:]))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}
"""
FIT = """

strokes = tf.random.stateless_normal([8, 6, 3], [1, 1])
chars = tf.one_hot(tf.random.stateless_uniform([8, 5], [2, 1], maxval=9, dtype=tf.int32), 9)
model = HandwritingModel()
model.compile(optimizer="adam")
history = model.fit((strokes, chars), tf.roll(strokes, -1, axis=1), batch_size=4, epochs=2, shuffle=False)
print(history.history["loss"][-1] < history.history["loss"][0])
"""
AS_METHOD = """    def attend(self, stroke_data, lstm0_out, char_seq):
{loop}        return windows, phis, kappas[-1]

    def call("""


def three_lists(text: str) -> str:
    """The model whose three lists are all stacked."""
    last = "        phis = tf.stack(phis, axis=1)\n"
    text = text.replace(last, f"{last}        kappas = tf.stack(kappas, axis=1)\n")
    return text.replace('"kappa": kappas[-1]', '"kappa": kappas[:, -1]')


def in_method(text: str) -> str:
    """The model whose loop is in a method that `call` uses."""
    start, end = text.index("        kappa = tf.zeros"), text.index("        lstm1_out")
    loop, call = (
        text[start:end],
        "        windows, phis, last = self.attend(stroke_data, lstm0_out, char_seq)\n",
    )
    text = text[:start] + call + text[end:].replace("kappas[-1]", "last")
    return text.replace("    def call(", AS_METHOD.format(loop=loop))


def program(keras: str, model: str = MODEL, signature: str = "", training: str = TRAINING) -> str:
    """A whole program that trains the model for two steps."""
    return HEAD[keras] + (model + training).format(keras=keras, signature=signature)


PROGRAMS = {
    "Keras 3": program("keras"),
    "tf.keras": program("tf.keras"),
    "three lists": program("keras", three_lists(MODEL)),
    "unknown batch and time": program("keras", signature=UNKNOWN_SIZES),
    "known length": program("keras", signature=KNOWN_LENGTH),
    "in a method": program("keras", in_method(MODEL)),
    "in a method and in train_step": HEAD["keras"]
    + in_method(MODEL).format(keras="keras")
    + OWN_TRAIN_STEP
    + FIT,
}
OF_KERAS_2 = {
    "tf_keras": program("tf_keras"),
    "tf_keras, three lists": program("tf_keras", three_lists(MODEL)),
    "tf_keras, unknown batch and time": program("tf_keras", signature=UNKNOWN_SIZES),
    "tf_keras, in a method": program("tf_keras", in_method(MODEL)),
}


def definitions(text: str) -> str:
    """The part of a program that defines the model."""
    return text[: text.index("\n\n\n", text.index("class HandwritingModel"))] + "\n"
