"""GD911."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.recording.format import XLA_DROPPED, Applied
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.telling import function_at, option_at


class XlaDropped(Rule):
    """XLA was asked for, and nothing is compiled.

    What it finds
    From a run: `compile(…, jit_compile=True)` of a Keras 3 model that Keras goes on with uncompiled, with
    the layers that are the reason; and `tf.config.optimizer.set_jit(True)` on a machine without a GPU.

    Why it matters
    Keras says so once, in a warning, TensorFlow not at all, and the training is as slow as before.

    How to fix it
    Take the layers that XLA cannot compile (texts, lookups, some random image layers) out of the model, and
    into the `tf.data` pipeline. Deterministic operations (`tf.config.experimental.enable_op_determinism`)
    keep all models from XLA. On a processor, put `jit_compile=True` on the functions that are worth it, or
    set `TF_XLA_FLAGS=--tf_xla_cpu_global_jit`. Else leave the switch out.

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
        return "this lets XLA compile for GPUs alone, and the run had none"
    layers = [f"`{layer}`" for layer in event.options.get("layers", "").split(", ") if layer]
    told = "Keras runs this model without XLA"
    if layers:
        return f"{told} because it holds {' and '.join(layers)}"
    return f"{told} because operations are to be deterministic" if "deterministic" in event.options else told
