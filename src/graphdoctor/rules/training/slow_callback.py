"""GD132."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.words import count, duration, share
from graphdoctor.recording.format import CALLBACKS, OTHER_PYTHON, SAVING, Steps
from graphdoctor.recording.training_time import Training
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.training.evidence import LEAST_SECONDS, event_of, part_of, span_at

LEAST_SHARE = 0.25
# Python of a loop of the user's may be part of the task (a simulator, a search): only where it is most.
LEAST_PYTHON = 0.5
# Evaluations that take longer than the training steps between them.
MOST_EVALUATION = 1.0
ORDERS = {CALLBACKS: "Do it every few hundred steps", SAVING: "Save less often"}


class SlowCallback(Rule):
    """Callbacks, checkpoints or evaluations take a large part of the training.

    What it finds
    From a run: callbacks and logging, or saving, that take a quarter or more of the time of training after
    its first step; a line of Python that takes at least half of it in a loop of your own; and evaluations
    inside `fit` that take longer than the training steps.

    Why it matters
    The model is idle meanwhile. What runs at each batch runs thousands of times, and a checkpoint of
    a large model takes seconds.

    How to fix it
    Do it every few hundred steps, or once per epoch. For saving, `ModelCheckpoint(save_freq=…)`, or
    `tf.train.CheckpointOptions(enable_async=True)`. For evaluations, `validation_freq` and
    `validation_steps`.

    When to leave it
    When what is written, evaluated or computed in Python is needed that often.
    """

    id = "GD132"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf


                class Norms(tf.keras.callbacks.Callback):
                    def on_train_batch_end(self, batch, logs=None):
                        norms.append(float(sum(np.abs(weight).sum() for weight in self.model.get_weights())))


                norms = []
                model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                model.fit(np.ones([64, 4]), np.ones([64, 1]), batch_size=8, verbose=0, callbacks=[Norms()])
                print(len(norms))
                """,
            good="""
                import numpy as np
                import tensorflow as tf


                class Norms(tf.keras.callbacks.Callback):
                    def on_epoch_end(self, epoch, logs=None):
                        norms.append(float(sum(np.abs(weight).sum() for weight in self.model.get_weights())))


                norms = []
                model = tf.keras.Sequential([tf.keras.Input([4]), tf.keras.layers.Dense(1)])
                model.compile("sgd", "mse")
                model.fit(np.ones([64, 4]), np.ones([64, 1]), batch_size=8, verbose=0, callbacks=[Norms()])
                print(len(norms))
                """,
            output=("8", "1"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        training = facts.training
        event = event_of(facts, training) if training is not None else None
        if training is None or event is None:
            return
        for phase in (CALLBACKS, SAVING):
            if training.share(phase) >= LEAST_SHARE and training.of(phase) >= LEAST_SECONDS:
                yield self._found(facts, training, event, phase)
        yield from self._python(facts, training, event)
        yield from self._evaluations(facts, event)

    def _found(self, facts: Facts, training: Training, event: Steps, phase: str) -> Finding:
        line = training.line_of(phase)
        path, number = (
            (line.path, line.line) if line is not None else (training.steps.path, training.steps.line)
        )
        each = training.of(phase) / max(event.count - 1, 1)
        return self.finding(
            span_at(facts, path, number),
            f"{phase} took {part_of(training, phase)} of the training after its first step, "
            f"{duration(each)} per step",
            event=event,
            observed=Observed(traces=0, seconds=round(training.of(phase), 6)),
            fix=Fix(title=ORDERS[phase], safety=Safety.MANUAL),
        )

    def _python(self, facts: Facts, training: Training, event: Steps) -> Iterator[Finding]:
        """What a loop of the user's runs in Python beside its steps."""
        line = training.line_of(OTHER_PYTHON)
        if line is None or training.steps.kind == "fit" or line.seconds < LEAST_SECONDS:
            return
        if line.seconds >= LEAST_PYTHON * training.seconds:
            each = line.seconds / max(event.count - 1, 1)
            taken = f"{duration(line.seconds)} of {duration(training.seconds)}"
            part = share(line.seconds, training.seconds)
            yield self.finding(
                span_at(facts, line.path, line.line),
                f"Python at this line took {taken} ({part}) of the training after its first step, "
                f"{duration(each)} per step",
                event=event,
                observed=Observed(traces=0, seconds=round(line.seconds, 6)),
                fix=Fix(title="Do it every few hundred steps", safety=Safety.MANUAL),
            )

    def _evaluations(self, facts: Facts, event: Steps) -> Iterator[Finding]:
        """Those that `fit` makes of its validation data."""
        inside = {
            one.place: one
            for one in facts.of(Steps)
            if one.kind == "evaluate" and one.place is not None and one.place == event.place
        }
        for one in inside.values():
            trained = event.seconds - event.first_seconds
            taken = one.seconds - one.first_seconds
            if event.kind == "fit" and taken > max(MOST_EVALUATION * trained, LEAST_SECONDS) and one.place:
                yield self.finding(
                    facts.span(one.place),
                    f"evaluations took {duration(taken)} ({count(one.count, 'step')}), the training steps "
                    f"{duration(trained)} ({count(event.count, 'step')})",
                    event=one,
                    observed=Observed(traces=0, seconds=round(taken, 6)),
                    fix=Fix(title="Evaluate less often", safety=Safety.MANUAL),
                )
