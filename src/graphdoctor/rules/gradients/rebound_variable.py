"""GD506."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import Gradient, LibraryCall
from graphdoctor.refactoring.variables.state import assigned, bound_by
from graphdoctor.rules.event_places import at, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing, written
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import node_at

VARIABLE = "tensorflow.Variable"


class ReboundVariable(Rule):
    """`x = x + 1` replaces a variable with a tensor, which the tape does not watch.

    What it finds
    A name, attribute or element that held a `tf.Variable`, was assigned a tensor, and is a source of
    `tape.gradient` afterwards. Also `w = w - rate * g` in a loop over variables, where nothing reads `w`
    before the next iteration rebinds it.

    Why it matters
    The first step works; from the second on the name holds a tensor and the gradient is None. Training stops,
    because the variable itself never changed.

    How to fix it
    Change the variable in place: `x.assign_add(1)`, `x.assign_sub(rate * gradient)`.

    When to leave it
    When the name is intended to become a tensor; then give the tensor a name of its own.
    """

    id = "GD506"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.Variable(2.0)
                for step in range(2):
                    with tf.GradientTape() as tape:
                        y = x * x
                    gradient = tape.gradient(y, x)
                    print(gradient)
                    x = x + 1.0
                """,
            good="""
                import tensorflow as tf

                x = tf.Variable(2.0)
                for step in range(2):
                    with tf.GradientTape() as tape:
                        y = x * x
                    gradient = tape.gradient(y, x)
                    print(gradient)
                    x.assign_add(1.0)
                """,
            output=(
                "tf.Tensor(4.0, shape=(), dtype=float32)\nNone",
                "tf.Tensor(4.0, shape=(), dtype=float32)\ntf.Tensor(6.0, shape=(), dtype=float32)",
            ),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from missing(self, facts, {"rebound": "Use `assign`"}, fixing=_fix)
        for event in facts.of(LibraryCall):
            found = node_at(facts, at(event)) if event.dropped and event.name == VARIABLE else None
            name, changed = (bound_by(*found), assigned(*found)) if found is not None else ("", None)
            if name:
                yield self.finding(
                    facts.span(at(event)),
                    f"this rebinds the name `{name}`, nothing reads it, and the variable does not change",
                    function_at(event),
                    event=event,
                    fix=offer(f"Use `{changed[0]}`", changed[1]) if changed is not None else None,
                )


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    found = assigned(asked.module, written(asked, event.broken))
    return offer(f"Use `{found[0]}`", found[1]) if found is not None else None
