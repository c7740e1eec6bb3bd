"""GD710: must not fire, must fire; runs say what the layers do without the flag."""

from inspect import cleandoc

import pytest
from tests.checking import changed_lines, check, fixed
from tests.running import TensorFlowServer

RULE = "GD710"
HEAD = "import keras\nimport tensorflow as tf\nfrom keras import ops\n\n"
SEQUENTIAL = "model = keras.Sequential([keras.layers.Dense(4), keras.layers.Dropout(0.5)])\n"
CLASS = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)
        self.dropout = keras.layers.Dropout(0.5)

    def call(self, x, training=None):
        return self.dropout(self.dense(x), training=training)


model = Net()
"""
STEP = """
optimizer = keras.optimizers.SGD()
x = tf.ones([2, 3])
model(x)


@tf.function
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


step(x)
"""
FIT = 'model.compile("sgd", "mse")\nmodel.fit(tf.ones([2, 3]), tf.ones([2, 4]), verbose=0)\n'
TEACHER = STEP.replace("model(x) ** 2", "(model(x) - student(x)) ** 2").replace(
    "model.trainable_variables", "student.trainable_variables"
)
SILENT = {
    "flag": SEQUENTIAL + STEP.replace("model(x) **", "model(x, training=True) **"),
    "inference on purpose": SEQUENTIAL + STEP.replace("model(x) **", "model(x, training=False) **"),
    "flag as an argument": CLASS
    + STEP.replace("model(x) **", "model(x, training=flag) **").replace(
        "def step(x)", "def step(x, flag=True)"
    ),
    "no such layer": SEQUENTIAL.replace("Dropout(0.5)", "Activation('relu')") + STEP,
    "nothing to drop": SEQUENTIAL.replace("Dropout(0.5)", "Dropout(0.0)") + STEP,
    "a recurrent layer without dropout": SEQUENTIAL.replace(
        "Dropout(0.5)", "Reshape([2, 2]), keras.layers.LSTM(4)"
    )
    + STEP,
    "no tape": SEQUENTIAL + "model(tf.ones([2, 3]))\n",
    "gradients go to nobody": SEQUENTIAL
    + STEP.replace(
        "    optimizer.apply_gradients(zip(gradients, model.trainable_variables))\n", "    return gradients\n"
    ),
    "a teacher whose variables are not trained": "student = keras.Sequential([keras.layers.Dense(4)])\n"
    + SEQUENTIAL
    + TEACHER,
    "frozen statistics": SEQUENTIAL.replace("Dropout(0.5)", "BatchNormalization(trainable=False)") + STEP,
    "default is training": CLASS.replace("training=None", "training=True") + STEP,
    "class says how": CLASS.replace("training=training", "training=True") + STEP,
    "fit with a parameter": CLASS + FIT,
    "fit of layers": SEQUENTIAL + FIT,
    "fit of a functional model": "inputs = keras.Input([3])\nmodel = keras.Model(inputs, "
    "keras.layers.Dropout(0.5)(keras.layers.Dense(4)(inputs)))\n" + FIT,
    "fit under Keras 2": CLASS.replace(", training=None", "").replace(", training=training", "") + FIT,
    "called with the flag elsewhere": SEQUENTIAL
    + STEP.replace("model(x) ** 2)", "model(x, training=True) ** 2) + tf.reduce_mean(model(x))"),
}
PLAIN = CLASS.replace(", training=None", "").replace(", training=training", "")
FIRES = {
    "layers": SEQUENTIAL + STEP,
    "batch normalisation": SEQUENTIAL.replace("Dropout(0.5)", "BatchNormalization()") + STEP,
    "dropout of a recurrent layer": SEQUENTIAL.replace(
        "Dropout(0.5)", "Reshape([2, 2]), keras.layers.LSTM(4, dropout=0.5)"
    )
    + STEP,
    "class": CLASS + STEP,
    "class without the parameter": PLAIN + STEP,
    "functional model": "inputs = keras.Input([3])\nmodel = keras.Model(inputs, "
    "keras.layers.Dropout(0.5)(keras.layers.Dense(4)(inputs)))\n" + STEP,
    "eager step": SEQUENTIAL + STEP.replace("@tf.function\n", ""),
    "train_step": CLASS.replace(
        "\n\nmodel = Net()",
        """
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x) - y) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


model = Net()""",
    )
    + FIT,
    "fit without a parameter": PLAIN + FIT,
}


@pytest.mark.parametrize("name", SILENT)
def test_silent(name: str) -> None:
    head = HEAD.replace("import keras\n", "import tf_keras as keras\n") if "Keras 2" in name else HEAD
    text = head.replace("from keras import ops\n", "") if "Keras 2" in name else head
    assert check(text + SILENT[name], RULE) == []


@pytest.mark.parametrize("name", FIRES)
def test_fires(name: str) -> None:
    assert [finding.rule for finding in check(HEAD + FIRES[name], RULE)] == [RULE]


@pytest.mark.parametrize("name", FIRES)
def test_fixed_program_is_silent(name: str) -> None:
    after = fixed(HEAD + FIRES[name], RULE)
    assert after != HEAD + FIRES[name]
    assert check(after, RULE) == []


def test_fit_gets_a_parameter() -> None:
    assert changed_lines(HEAD + FIRES["fit without a parameter"], RULE) == [
        "def call(self, x, training=None):"
    ]


def test_messages() -> None:
    (call,) = check(HEAD + FIRES["class"], RULE)
    assert call.message == (
        "this call in a training step has no `training=True`, so that `Dropout` works as in inference"
    )
    (fit,) = check(HEAD + FIRES["fit without a parameter"], RULE)
    assert fit.message == (
        "`Net.call` has no `training` parameter, so that `Dropout` works as in inference while `fit` trains"
    )


SPY = """
class Spy(keras.layers.Layer):
    def call(self, x, training=None):
        seen.append(training)
        return x


seen = []
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    "name", ["layers", "class", "class without the parameter", "fit without a parameter"]
)
def test_layers_get_the_flag_of_the_fix_alone(name: str, tensorflow: TensorFlowServer) -> None:
    reported = []
    for text in (HEAD + FIRES[name], fixed(HEAD + FIRES[name], RULE)):
        spied = text.replace("keras.layers.Dropout(0.5)", "Spy()").replace(HEAD, HEAD + cleandoc(SPY) + "\n")
        ran = tensorflow.run_once(spied + "print(seen[-1])\n")
        reported.append(ran.printed.strip())
    assert reported == ["None", "True"]
