"""Rules about gradients, from the source: what they must leave alone, then what they must see."""

import inspect

import pytest

from graphdoctor.config import Config
from graphdoctor.fixing import fix_text
from graphdoctor.judging import check_module
from graphdoctor.model import Finding, Safety
from graphdoctor.source import parse_module

PREAMBLE = """
import numpy as np
import tensorflow as tf

x = tf.constant([1.0, 2.0])
w = tf.Variable([1.0, 2.0])
model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD()
"""


def findings(body: str) -> list[Finding]:
    text = PREAMBLE + inspect.cleandoc(body) + "\n"
    return check_module(parse_module("example.py", text), Config(select=("GD5",)))


# A model with an output inside another: what class activation maps ask for.
TWO_OUTPUTS = """
        image = tf.keras.Input([8, 8, 3])
        features = tf.keras.layers.Conv2D(4, 3, name="features")(image)
        scores = tf.keras.layers.Dense(2)(tf.keras.layers.GlobalAveragePooling2D()(features))
        whole = tf.keras.Model(image, scores)
        """
SILENT = {
    "a sum that begins as a whole number, of an unknown": """
        class Estimator:
            def __init__(self, model):
                self.model = model
            @tf.function
            def fit(self, steps):
                with tf.GradientTape() as tape:
                    total = 0
                    for step in tf.range(steps):
                        total += tf.reduce_sum(self.model.terms(step))
                return tape.gradient(total, self.model.trainable_variables)
    """,
    "an inner output of a model": f"""{TWO_OUTPUTS}
        both = tf.keras.Model(whole.inputs, [whole.get_layer("features").output, whole.output])
        with tf.GradientTape() as tape:
            inner, outer = both(tf.ones([1, 8, 8, 3]))
            y = outer[:, 0]
        tape.gradient(y, inner)
        """,
    "an inner output of a model, the other way round, watched": f"""{TWO_OUTPUTS}
        both = tf.keras.Model(whole.input, (whole.outputs[0], whole.get_layer("features").output))
        with tf.GradientTape() as tape:
            outer, inner = both(tf.ones([1, 8, 8, 3]))
            tape.watch(inner)
            y = tf.reduce_sum(outer)
        tape.gradient(y, inner)
        """,
    "a layer that was called twice": """
        image = tf.keras.Input([2])
        shared = tf.keras.layers.Dense(2, name="shared")
        whole = tf.keras.Model(image, shared(shared(image)))
        both = tf.keras.Model(whole.inputs, [whole.get_layer("shared").output, whole.output])
        with tf.GradientTape() as tape:
            inner, outer = both(tf.ones([1, 2]))
        tape.gradient(outer, inner)
        """,
    "an assignment in one layer of a Sequential, beside one that is trained": """
        class Counted(tf.keras.layers.Layer):
            def build(self, shape):
                self.seen = self.add_weight(shape=(), trainable=False)

            def call(self, inputs):
                self.seen.assign(tf.reduce_mean(inputs))
                return inputs * self.seen

        both = tf.keras.Sequential([Counted(), tf.keras.layers.Dense(1)])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(both(tf.ones([4, 2])))
        tape.gradient(y, both.trainable_variables)
        """,
    "watched late, when the tape has the operation for a variable's sake": """
        with tf.GradientTape() as tape:
            y = x * w
            tape.watch(x)
        tape.gradient(y, x)
        """,
    "watched late, after a model of Keras'": """
        batch = tf.ones([4, 2])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(model(batch))
            tape.watch(batch)
        tape.gradient(y, batch)
        """,
    "a watched tensor": """
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)
        """,
    "watched in a list": """
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            y = x * w
        tape.gradient(y, [x, w])
        """,
    "an intermediate tensor of the tape": """
        with tf.GradientTape() as tape:
            hidden = w * x
            y = tf.reduce_sum(hidden)
        tape.gradient(y, hidden)
        """,
    "a source of unknown kind": """
        def saliency(image, score):
            with tf.GradientTape() as tape:
                y = score(image)
            return tape.gradient(y, image)
        """,
    "a loss from a dictionary": """
        with tf.GradientTape() as tape:
            losses = compute(model, x)
        tape.gradient(losses["total"], w)
        """,
    "the target again below, after the question": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
        gradient = tape.gradient(loss, w)
        loss = loss * 2.0
        """,
    "a list of targets": """
        with tf.GradientTape() as tape:
            first = tf.reduce_sum(w)
            second = tf.reduce_mean(w)
        tape.gradient([first, second], w)
        """,
    "a value that is only printed": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
            print(loss.numpy())
            history = loss.numpy()
        tape.gradient(loss, w)
        """,
    "a detached weight beside the loss": """
        with tf.GradientTape() as tape:
            error = tf.reduce_sum(w * w)
            scale = float(error)
            loss = error / scale
        tape.gradient(loss, w)
        """,
    "NumPy on what is no tensor": """
        with tf.GradientTape() as tape:
            scale = np.sqrt(2.0)
            loss = tf.reduce_sum(w * scale)
        tape.gradient(loss, w)
        """,
    "an accuracy beside the loss": """
        with tf.GradientTape() as tape:
            logits = model(x)
            hits = tf.cast(tf.argmax(logits, -1) == 1, tf.float32)
            accuracy = tf.reduce_mean(hits)
            loss = tf.reduce_mean(tf.square(logits))
        tape.gradient(loss, model.trainable_variables)
        """,
    "a mask": """
        with tf.GradientTape() as tape:
            mask = tf.cast(w > 1.0, tf.float32)
            loss = tf.reduce_sum(mask * w)
        tape.gradient(loss, w)
        """,
    "a sampled action that a critic judges": """
        with tf.GradientTape() as tape:
            action = tf.one_hot(tf.argmax(model(x), -1), 2)
            loss = critic(action)
        tape.gradient(loss, critic.trainable_variables)
        """,
    "an integer that is no source": """
        count = tf.Variable(3)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w) * tf.cast(count, tf.float32)
        tape.gradient(loss, w)
        """,
    "an integer literal with a floating dtype": """
        scale = tf.Variable(3, dtype=tf.float32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w) * scale
        tape.gradient(loss, scale)
        """,
    "a variable assigned in place": """
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            w.assign_sub(0.1 * tape.gradient(loss, w))
        """,
    "a name that becomes a tensor after the last question": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w * w)
        w = w - 0.1 * tape.gradient(loss, w)
        """,
    "one question in a loop of one iteration": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
        for source in [w]:
            tape.gradient(loss, source)
        """,
    "all variables of a model whose variables are all trained": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.keras.layers.BatchNormalization()(model(x)))
        tape.gradient(loss, model.weights)
        """,
    "two tapes of one name": """
        with tf.GradientTape() as tape:
            first = tf.reduce_sum(w)
        tape.gradient(first, w)
        with tf.GradientTape() as tape:
            second = tf.reduce_mean(w)
        tape.gradient(second, w)
        """,
    "one question in each branch": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
        if fast:
            tape.gradient(loss, w)
        else:
            tape.jacobian(loss, w)
        """,
    "a tape opened in the loop": """
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w)
            tape.gradient(loss, w)
        """,
    "gradients first": """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        """,
    "variables of a model that is built": """
        other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        other.build([None, 2])
        variables = other.trainable_variables
        """,
    "a second derivative": """
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            slope = tape.gradient(y, x)
        tape.gradient(slope, x)
        """,
    "an inner tape asked inside the outer one": """
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = x * x
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
        """,
    "a persistent tape that is deleted": """
        for step in range(3):
            with tf.GradientTape(persistent=True) as tape:
                a, b = tf.reduce_sum(w), tf.reduce_mean(w)
            tape.gradient(a, w)
            tape.gradient(b, w)
            del tape
        """,
    "a persistent tape in a function that a loop calls": """
        def step():
            with tf.GradientTape(persistent=True) as tape:
                a, b = tf.reduce_sum(w), tf.reduce_mean(w)
            return tape.gradient(a, w), tape.gradient(b, w)


        for number in range(3):
            step()
        """,
    "watching what the tape makes": """
        with tf.GradientTape() as tape:
            features = model(x)
            tape.watch(features)
            score = tf.reduce_sum(features)
        tape.gradient(score, features)
        """,
    "somebody else's tape": """
        import tapes

        with tapes.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        """,
}


@pytest.mark.parametrize("name", SILENT)
def test_right_code_is_left_alone(name: str) -> None:
    assert [(f.rule, f.message) for f in findings(SILENT[name])] == []


FIRING = {
    "the outputs of a model, computed before the tape": (
        "GD502",
        f"""{TWO_OUTPUTS}
        both = tf.keras.Model(whole.input, {{"out": whole.output, "in": whole.get_layer("features").output}})
        found = both(tf.ones([1, 8, 8, 3]))
        with tf.GradientTape() as tape:
            tape.watch(found["in"])
            y = tf.reduce_max(found["out"])
        tape.gradient(y, found["in"])
        """,
    ),
    "watched late, and its first operation has no variable": (
        "GD513",
        """
        with tf.GradientTape() as tape:
            y = (x * 2.0) * w
            tape.watch(x)
        tape.gradient(y, x)
        """,
    ),
    "watched late by a tape that watches no variables": (
        "GD513",
        """
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = x * w
            tape.watch(x)
        tape.gradient(y, x)
        """,
    ),
    "an assignment inside a layer of a Sequential": (
        "GD512",
        """
        class Traced(tf.keras.layers.Layer):
            def build(self, shape):
                self.slow = self.add_weight(shape=(2, 2))
                self.kept = self.add_weight(shape=(2, 2), trainable=False)

            def call(self, inputs):
                self.kept.assign(0.9 * self.kept + self.slow)
                return inputs @ self.kept

        traced = tf.keras.Sequential([Traced()])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(traced(tf.ones([4, 2])))
        tape.gradient(y, traced.trainable_variables)
        """,
    ),
    "an annotated tensor": (
        "GD501",
        """
        def saliency(image: tf.Tensor):
            with tf.GradientTape() as tape:
                y = model(image)
            return tape.gradient(y, image)
        """,
    ),
    "one of several sources": (
        "GD501",
        """
        with tf.GradientTape() as tape:
            y = x * w
        tape.gradient(y, [w, x])
        """,
    ),
    "a mean below the block": (
        "GD502",
        """
        with tf.GradientTape() as tape:
            error = tf.square(w)
        tape.gradient(tf.reduce_mean(error), w)
        """,
    ),
    "numpy at two removes": (
        "GD503",
        """
        with tf.GradientTape() as tape:
            error = tf.square(w)
            value = error.numpy()
            total = value.sum() if False else np.sum(value)
            loss = tf.constant(value)
        tape.gradient(loss, w)
        """,
    ),
    "an argmax at two removes": (
        "GD504",
        """
        with tf.GradientTape() as tape:
            chosen = tf.argmax(w)
            hot = tf.one_hot(chosen, 2)
            loss = tf.reduce_sum(hot)
        tape.gradient(loss, w)
        """,
    ),
    "a list of integers": (
        "GD505",
        """
        counts = tf.Variable([1, 2])
        with tf.GradientTape() as tape:
            y = counts * counts
        tape.gradient(y, counts)
        """,
    ),
    "a step written by hand": (
        "GD506",
        """
        for step in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            gradient = tape.gradient(loss, w)
            w = w - 0.1 * gradient
        """,
    ),
    "a question in a loop": (
        "GD507",
        """
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(w)
        for source in [w, w]:
            tape.gradient(loss, source)
        """,
    ),
    "weights": (
        "GD508",
        """
        model.add(tf.keras.layers.BatchNormalization())
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        tape.gradient(loss, model.weights)
        """,
    ),
    "in a method": (
        "GD510",
        """
        class Trainer:
            def step(self, batch):
                with tf.GradientTape() as tape:
                    loss = self.loss(batch)
                gradients = tape.gradient(loss, self.model.trainable_variables)
                self.optimizer.apply_gradients(zip(self.model.trainable_variables, gradients))
        """,
    ),
}


@pytest.mark.parametrize("name", FIRING)
def test_wrong_code_is_seen(name: str) -> None:
    rule, body = FIRING[name]
    assert [f.rule for f in findings(body)] == [rule]


def test_renaming_reaches_the_optimizer() -> None:
    body = """
        model.add(tf.keras.layers.BatchNormalization())
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(model(x))
        gradients = tape.gradient(loss, model.variables)
        optimizer.apply_gradients(zip(gradients, model.variables))
        saved = [v.numpy() for v in model.variables]
        """
    text = PREAMBLE + inspect.cleandoc(body) + "\n"
    fixed, applied = fix_text("example.py", text, Config(select=("GD508",)), unsafe=True)
    assert applied == 1
    assert fixed == text.replace("loss, model.variables", "loss, model.trainable_variables").replace(
        "gradients, model.variables", "gradients, model.trainable_variables"
    )


def test_renaming_reaches_what_a_name_was_given() -> None:
    body = """
        model.add(tf.keras.layers.BatchNormalization())

        def step():
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(model(x))
            asked = model.variables
            optimizer.apply_gradients(zip(tape.gradient(loss, asked), asked))

        step()
        """
    text = PREAMBLE + inspect.cleandoc(body) + "\n"
    fixed, applied = fix_text("example.py", text, Config(select=("GD508",)), unsafe=True)
    assert (applied, fixed) == (
        1,
        text.replace("asked = model.variables", "asked = model.trainable_variables"),
    )


def test_what_is_made_after_the_tape_cannot_be_watched_in_it() -> None:
    body = """
        def slope(given):
            with tf.GradientTape() as tape:
                tape.watch(given)
                y = tf.reduce_sum(model(given))
            flat = tf.reshape(given, [-1])
            return tape.gradient(y, flat)

        slope(tf.ones([4, 2]))
        """
    (finding,) = findings(body)
    assert finding.rule == "GD501"
    assert finding.fix is not None
    assert finding.fix.safety is Safety.MANUAL


def test_what_is_given_again_after_the_tape_can_be_watched() -> None:
    body = """
        def climb(image: tf.Tensor):
            with tf.GradientTape() as tape:
                y = tf.reduce_sum(model(image))
            image += tape.gradient(y, image)
            return image
        """
    (finding,) = findings(body)
    assert finding.fix is not None
    assert finding.fix.title == "Call `tape.watch(image)` first"
