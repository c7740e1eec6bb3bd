"""GD108."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.words import duration
from graphdoctor.recording.format import EAGER_OPERATIONS, PROGRAM, Applied, Steps
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.training.evidence import LEAST_SECONDS, part_of

LEAST_SHARE = 0.5
LEAST_STEPS = 5


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
    `@tf.function`; call it with tensors. Make the optimizer and the model outside.

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
            fix=Fix(
                title=f"Decorate `{name}` with `@tf.function`"
                if name.isidentifier()
                else "Move the step into a `tf.function`",
                safety=Safety.MANUAL,
            ),
        )


def _is_switched_on(facts: Facts) -> bool:
    """Whether the program asks for eager execution, which another rule reports."""
    return any(
        event.what == "eager switch" or (event.what == "compile" and event.options.get("eagerly") == "True")
        for event in facts.of(Applied)
    )
