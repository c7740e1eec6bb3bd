"""GD133."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.words import duration
from graphdoctor.recording.format import CALLBACKS, INPUT, SAVING
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.training.evidence import LEAST_SECONDS, event_of

# What Keras itself does between two steps takes about a millisecond.
TINY = 0.002
LEAST_STEPS = 1000
MOST_ELSEWHERE = 0.5


class TinySteps(Rule):
    """Thousands of steps of `fit` that are so short that Keras' own work per step counts.

    What it finds
    From a run: a thousand steps of `fit` or more whose median is at most 2 ms, with
    `steps_per_execution=1`.

    Why it matters
    Before and after each step Keras calls its callbacks, hands over an iterator and reads metrics. That
    takes about as long as such a step itself, while the device waits.

    How to fix it
    `model.compile(…, steps_per_execution=32)` runs 32 batches in one graph call; callbacks are called every
    32 batches then. Or take larger batches.

    When to leave it
    When a callback must see each batch.
    """

    id = "GD133"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                history = model.fit(np.ones([64, 4]), np.ones([64, 1]), batch_size=2, verbose=0)
                print(len(history.history["loss"]))
                """,
            good="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
                model.compile("sgd", "mse", steps_per_execution=32)
                history = model.fit(np.ones([64, 4]), np.ones([64, 1]), batch_size=2, verbose=0)
                print(len(history.history["loss"]))
                """,
            output=("1", "1"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        training = facts.training
        event = event_of(facts, training) if training is not None else None
        if training is None or event is None or event.place is None:
            return
        later = event.seconds - event.first_seconds
        if event.kind != "fit" or event.per_execution > 1 or event.count < LEAST_STEPS:
            return
        if event.median_seconds > TINY or later < LEAST_SECONDS:
            return
        if training.share(INPUT, CALLBACKS, SAVING) > MOST_ELSEWHERE:  # that is what to look at first
            return
        yield self.finding(
            facts.span(event.place),
            f"{event.count:,} steps of `fit` took {duration(event.median_seconds)} each (median), one batch "
            "per call: Keras' own work between steps takes about as long",
            event=event,
            observed=Observed(traces=0, seconds=round(later, 6)),
            fix=Fix(title="Compile with `steps_per_execution=32`", safety=Safety.MANUAL),
        )
