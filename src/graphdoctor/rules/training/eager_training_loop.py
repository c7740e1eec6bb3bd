"""GD108."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Severity
from graphdoctor.model.words import duration
from graphdoctor.recording.format import EAGER_OPERATIONS, PROGRAM, Applied, Place, Steps
from graphdoctor.refactoring.creation.step_function import own_function
from graphdoctor.refactoring.options.function_options import decorated
from graphdoctor.refactoring.syntax.loops import function_at, loop_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.training.evidence import LEAST_SECONDS, part_of

LEAST_SHARE = 0.5
LEAST_STEPS = 5
MOVE = "Move the step into a `tf.function`"


class EagerTrainingLoop(Rule):
    """The training runs operation by operation in Python: no graph function holds its step.

    What it finds
    From a run: a tape whose gradients are asked for in eager code, step after step, while eager operations
    take at least half of the time of training.

    Why it matters
    Each operation costs Python and dispatch, often more than the operation itself. The smaller the
    operations, the larger the part that a graph saves; a model of a few large operations gains little.

    How to fix it
    Put the step (forward pass, gradients, `apply_gradients`) into a function and decorate it with
    `@tf.function`; call it with tensors. Make the optimizer and the model outside. `graphdoctor tune`
    measures what that gains, also for a step that is written in the loop, and writes it with `--apply`.

    When to leave it
    While debugging, and where each step needs Python that a graph cannot hold.
    """

    id = "GD108"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                weight = tf.Variable(3.0)


                def train_step(x):
                    with tf.GradientTape() as tape:
                        loss = (weight * x) ** 2
                    weight.assign_sub(0.1 * tape.gradient(loss, weight))
                    return loss


                for _ in range(20):
                    train_step(tf.constant(1.0))
                print(float(weight) < 0.1)
                """,
            good="""
                import tensorflow as tf

                weight = tf.Variable(3.0)


                @tf.function
                def train_step(x):
                    with tf.GradientTape() as tape:
                        loss = (weight * x) ** 2
                    weight.assign_sub(0.1 * tape.gradient(loss, weight))
                    return loss


                for _ in range(20):
                    train_step(tf.constant(1.0))
                print(float(weight) < 0.1)
                """,
            output=("True", "True"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        training = facts.training
        if training is None or training.of(EAGER_OPERATIONS) < LEAST_SECONDS:
            return
        if training.share(EAGER_OPERATIONS) < LEAST_SHARE or _is_switched_on(facts):
            return
        tapes = {one.place: one for one in facts.of(Steps) if one.kind == "tape" and one.place is not None}
        event = max(tapes.values(), key=lambda one: one.seconds, default=None)
        if event is None or event.count < LEAST_STEPS or event.place is None or event.frame is None:
            return
        name = event.frame.function
        inside = "" if name == PROGRAM else f" of `{name}`"
        yield self.finding(
            facts.span(event.place),
            f"{event.count:,} training steps{inside} ran eagerly, {duration(event.median_seconds)} each: "
            f"eager operations took {part_of(training, EAGER_OPERATIONS)} of the training "
            "after its first step",
            event=event,
            observed=Observed(traces=0, seconds=round(training.of(EAGER_OPERATIONS), 6)),
            fix=_fix(facts, event.place, name),
        )


def _fix(facts: Facts, place: Place, name: str) -> Fix:
    """A graph function around one step: the function that the step is, or one that is made of it."""
    module = facts.sources.module(place.path)
    step = function_at(module, place.line, name) if module is not None else None
    loop = loop_at(module, place.line, name) if module is not None else None
    if module is None or (step is None and loop is None):
        return offer(MOVE, None)
    if loop is None and step is not None:
        return offer(f"Decorate `{name}` with `@tf.function`", decorated(step))
    # Around the whole function its loop would be unrolled into one graph.
    return offer(MOVE, own_function(module, loop) if loop is not None else None)


def _is_switched_on(facts: Facts) -> bool:
    """Whether the program asks for eager execution, which another rule reports."""
    return any(
        event.what == "eager switch" or (event.what == "compile" and event.options.get("eagerly") == "True")
        for event in facts.of(Applied)
    )
