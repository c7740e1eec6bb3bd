"""GD911."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import XLA_DROPPED, Applied
from graphdoctor.rules.event_places import function_at, option_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class XlaDropped(Rule):
    """XLA was requested, but nothing is compiled.

    What it finds
    From a run: `compile(…, jit_compile=True)` of a Keras 3 model that Keras then runs without XLA, with the
    layers that cause it; and `tf.config.optimizer.set_jit(True)` on a machine without a GPU.

    Why it matters
    Keras warns once, TensorFlow not at all, and training is as slow as before.

    How to fix it
    Move the layers that XLA cannot compile (strings, lookups, some random image layers) out of the model into
    the `tf.data` pipeline. Deterministic operations (`tf.config.experimental.enable_op_determinism`) disable
    XLA for all models. On a CPU, put `jit_compile=True` on the functions that benefit, or set
    `TF_XLA_FLAGS=--tf_xla_cpu_global_jit`. Otherwise remove the option.

    When to leave it
    When the same script runs elsewhere with another model.
    """

    id = "GD911"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                layers = tf.keras.layers
                model = tf.keras.Sequential([layers.Hashing(num_bins=3), layers.Embedding(3, 2)])
                model.compile("sgd", "mse", jit_compile=True)
                print(model.jit_compile)
                """,
            good="""
                import tensorflow as tf

                layers = tf.keras.layers
                model = tf.keras.Sequential([layers.Embedding(3, 2)])
                model.compile("sgd", "mse", jit_compile=True)
                print(model.jit_compile)
                """,
            output=("False", "True"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in facts.of(Applied):
            if event.what == XLA_DROPPED:
                yield self.finding(
                    option_at(facts, event, "jit_compile"),
                    _message(event),
                    function_at(event),
                    event=event,
                )


def _message(event: Applied) -> str:
    if "devices" in event.options:
        return "this makes XLA compile only for GPUs, and the run had none"
    layers = [f"`{layer}`" for layer in event.options.get("layers", "").split(", ") if layer]
    stated = "Keras runs this model without XLA"
    if layers:
        return f"{stated} because it contains {' and '.join(layers)}"
    return f"{stated} because op determinism is enabled" if "deterministic" in event.options else stated
