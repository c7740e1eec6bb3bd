"""GD215."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Stale
from graphdoctor.recording.places import function_of
from graphdoctor.refactoring.arguments.replaced_models import passed
from graphdoctor.refactoring.creation.compiling import compiled_again, compiled_as_before
from graphdoctor.refactoring.creation.retracing import made_again_by_factory, wrapped_again
from graphdoctor.rules.effects.stale import is_object, stale_captures, stale_finding
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import node_at


class CapturedAttributeChanged(Rule):
    """An attribute such as `self.rate` changed after tracing; the graph still uses the old value.

    What it finds
    In a run: a number, string, bool, None or small tuple that a traced function, or a function it calls,
    reads from an object (`self.rate`, `config.rate`, `options["rate"]`, a flag of another module); that
    changed after the trace; and calls that ran the old graph afterwards. Attributes that the traced code
    itself sets are not reported, except a flag that it tests first and then changes, where the graph keeps
    the branch: `if self.first: x = x * 2.0; self.first = False`. From the source also `layer.trainable`: a
    traced step trains what was trainable during the trace, whatever is frozen or unfrozen later. Replacing a
    model, layer, optimizer, metric or Variable is reported too: the graph still uses the Variables of the
    first one. An object, array or tensor that is only created again may be equal to the first: the
    confidence is at most medium.

    Why it matters
    The attribute is read once, while tracing, and becomes a constant of the graph. Setting it later, for
    example in a schedule or a callback, has no effect. There is no warning.

    How to fix it
    Keep it in a `tf.Variable` and `assign` to it, or pass it as an argument. With Keras, a new `compile` also
    makes the next `fit` trace again. Do not replace a model or metric; set its weights or its state.

    When to leave it
    When the old value is intended.
    """

    id = "GD215"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                class Noise(tf.Module):
                    def __init__(self):
                        self.rate = 1.0

                    @tf.function
                    def __call__(self, x):
                        return x * self.rate


                noise = Noise()
                print(noise(tf.constant(2.0)).numpy())
                noise.rate = 5.0
                print(noise(tf.constant(2.0)).numpy())
                """,
            good="""
                import tensorflow as tf


                class Noise(tf.Module):
                    def __init__(self):
                        self.rate = tf.Variable(1.0, trainable=False)

                    @tf.function
                    def __call__(self, x):
                        return x * self.rate


                noise = Noise()
                print(noise(tf.constant(2.0)).numpy())
                noise.rate.assign(5.0)
                print(noise(tf.constant(2.0)).numpy())
                """,
            output=("2.0\n2.0", "2.0\n10.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in stale_captures(facts, ("attribute", "item", "list", "dict", "trained", "flag")):
            yield stale_finding(self, facts, event, "Keep it in a `tf.Variable`", _own_fix(facts, event))


def _own_fix(facts: Facts, event: Stale) -> Fix | None:
    """The fix where a `tf.Variable` does not help."""
    if event.state.kind == "flag":
        return offer("Decide it outside, or with `tf.cond`", None)
    if event.state.kind == "attribute" and is_object(event.then):
        return _passed(facts, event)
    return _traced_again(facts, event) if event.state.kind == "trained" else None


def _passed(facts: Facts, event: Stale) -> Fix | None:
    """An object that another one replaces is an argument, where the graph function itself reads it."""
    function = facts.sources.function(function_of(event.function))
    attribute = event.state.name.rpartition(".")[2]
    if function is None or event.chain[-1].function != event.function.name:
        return None
    edits = passed(facts.sources.modules, function, attribute)
    return offer(f"Pass `{event.state.name}` as an argument", edits) if edits is not None else None


def _traced_again(facts: Facts, event: Stale) -> Fix:
    """`trainable` is not a number for a Variable: Keras traces again after `compile`."""
    changed = node_at(facts, event.written)
    trained = node_at(facts, event.place)
    if changed is None or trained is None:
        return offer("Trace again after the change", None)
    edit = compiled_again(*changed, trained[1]) if changed[0] is trained[0] else None
    if edit is None:
        edit = compiled_as_before(facts.sources.modules, changed, trained)
    if edit is not None:
        return offer("Compile again after the change", edit)
    if changed[0] is not trained[0]:
        return offer("Trace again after the change", None)
    function = facts.sources.function(function_of(event.function))
    again = wrapped_again(function, *changed) if function is not None else None
    if again is None and function is not None:
        again = made_again_by_factory(function, *changed)
    return offer("Trace again after the change", again)
