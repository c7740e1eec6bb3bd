"""GD709."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import INITIAL_VALUES, Applied
from graphdoctor.refactoring.declarations.build_methods import builds
from graphdoctor.refactoring.options.function_options import without_decorator
from graphdoctor.rules.event_places import at, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import Repair
from graphdoctor.rules.rule import Example, Rule


class FrozenWeights(Rule):
    """A `tf.function` inside a Keras 3 `call` keeps the initial weights: training has no effect.

    What it finds
    Under Keras 3, a `tf.function` (on `call`, on a method that `call` uses, or made in `__init__`) that runs
    a layer without weights yet, in a layer or model without a `build()` method. A run names the weights, also
    when only some of them are affected.

    Why it matters
    Keras builds such a layer by running its `call` once in a scope where variables have no value. A
    `tf.function` that is traced there puts the initial values into its graph, as operations of the
    initializers, and later calls of the same signature reuse that graph. Training, `assign` and
    `load_weights` change the variables and not the output; gradients are None; dropout masks and batch
    statistics stop changing. Nothing is raised.

    How to fix it
    Give each layer and model on the way a `build(self, input_shape)` that builds what it holds: Keras then
    makes the variables before it runs `call`. Or take `tf.function` off what `call` runs, and put it on the
    training step instead. Calling the model once before does not help: that call creates the frozen graph.

    When to leave it
    Never: the weights that are trained are not the ones that are used.
    """

    id = "GD709"
    severity = Severity.WRONG
    repair = Repair(trains=True)
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf
                from keras import ops


                class Net(keras.Model):
                    def __init__(self):
                        super().__init__()
                        self.dense = keras.layers.Dense(4, kernel_initializer="ones")

                    @tf.function
                    def call(self, x):
                        return self.dense(x)


                net = Net()
                net(tf.ones([1, 2]))
                net.dense.kernel.assign(tf.zeros([2, 4]))
                print(ops.convert_to_numpy(net(tf.ones([1, 2]))))
                """,
            good="""
                import keras
                import tensorflow as tf
                from keras import ops


                class Net(keras.Model):
                    def __init__(self):
                        super().__init__()
                        self.dense = keras.layers.Dense(4, kernel_initializer="ones")

                    def build(self, input_shape):
                        self.dense.build(input_shape)

                    @tf.function
                    def call(self, x):
                        return self.dense(x)


                net = Net()
                net(tf.ones([1, 2]))
                net.dense.kernel.assign(tf.zeros([2, 4]))
                print(ops.convert_to_numpy(net(tf.ones([1, 2]))))
                """,
            output=("[[2. 2. 2. 2.]]", "[[0. 0. 0. 0.]]"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        fixed = set()
        for event in facts.of(Applied):
            if event.what == INITIAL_VALUES and event.chain:
                fix = _fix(facts, event)
                new = fix.edits not in fixed
                fixed.add(fix.edits)
                yield self.finding(
                    facts.span(at(event)),
                    _message(facts, event),
                    facts.function_of(event) or function_at(event),
                    event=event,
                    fix=fix if new or not fix.edits else Fix(title=fix.title, safety=fix.safety),
                )


def _message(facts: Facts, event: Applied) -> str:
    traced = facts.function_of(event)
    name = traced.name.rpartition(".")[2] if traced else event.chain[-1].function
    known = event.options.get("weights")
    weights = ", ".join(f"`{each}`" for each in known.split(", ")) if known else "this layer's weights"
    if event.options.get("more", "0") != "0":
        weights += f" and {event.options['more']} more"
    return (
        f"`{name}` is traced while Keras builds the layer, so its graph holds only the initial values of "
        f"{weights}"
    )


def _fix(facts: Facts, event: Applied) -> Fix:
    """A `build()` where the source says enough for one, else no graph function inside `call`."""
    layers = [name for name in event.options.get("layers", "").split(", ") if name]
    module = facts.sources.module(at(event).path)
    edits = builds(module, layers) if module is not None and layers else None
    if edits is not None:
        return offer("Build the layers in `build()`", edits)
    traced = facts.function_of(event)
    function = facts.sources.function(traced) if traced is not None else None
    edit = without_decorator(function, "tensorflow.function") if function is not None else None
    return offer("Remove `tf.function` inside `call`", edit)
