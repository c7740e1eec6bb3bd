"""GD710."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Severity
from graphdoctor.recording.format import FIT_FLAG, TRAINING_FLAG, Applied
from graphdoctor.refactoring.calls.models import with_flag, with_parameter
from graphdoctor.rules.event_places import at, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import node_at

FLAGS = (TRAINING_FLAG, FIT_FLAG)


class TrainingFlagMissing(Rule):
    """A model with dropout or batch normalisation is trained without `training=True`.

    What it finds
    A model or layer that holds a layer which works differently in training (dropout, noise, random
    augmentation, batch normalisation), and that is called inside a tape without `training=True`, where an
    optimizer gets its variables. Under Keras 3 also `fit` of a model whose `call` takes no `training`.

    Why it matters
    Without the flag these layers work as in inference: dropout drops nothing, and batch normalisation uses
    averages that never change. Nothing is raised, and the loss goes down; the model that is trained is not
    the one that was written. `fit` gives the flag by itself; under Keras 3 only to a `call` that has such a
    parameter.

    How to fix it
    Call the model with `training=True` in the training step, and with `training=False` elsewhere. The layers
    inside get it from the call around them. For `fit`, give `call` a parameter `training=None`.

    When to leave it
    Where the layers are meant to work as in inference, as in the fine-tuning of a model with frozen
    statistics: say so with `training=False`.
    """

    id = "GD710"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import keras
                import tensorflow as tf

                model = keras.Sequential([keras.layers.Dense(4), keras.layers.BatchNormalization()])
                optimizer = keras.optimizers.SGD()
                x = tf.ones([2, 3])
                model(x)


                @tf.function
                def train_step(x):
                    with tf.GradientTape() as tape:
                        loss = tf.reduce_mean(model(x) ** 2)
                    gradients = tape.gradient(loss, model.trainable_variables)
                    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


                train_step(x)
                print(float(tf.reduce_min(model.layers[1].moving_variance)) < 1.0)
                """,
            good="""
                import keras
                import tensorflow as tf

                model = keras.Sequential([keras.layers.Dense(4), keras.layers.BatchNormalization()])
                optimizer = keras.optimizers.SGD()
                x = tf.ones([2, 3])
                model(x)


                @tf.function
                def train_step(x):
                    with tf.GradientTape() as tape:
                        loss = tf.reduce_mean(model(x, training=True) ** 2)
                    gradients = tape.gradient(loss, model.trainable_variables)
                    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


                train_step(x)
                print(float(tf.reduce_min(model.layers[1].moving_variance)) < 1.0)
                """,
            output=("False", "True"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        trained = {number for event in facts.of(Applied) if event.what == "gradients" for number in event.on}
        events = [event for event in facts.of(Applied) if event.what in FLAGS and event.chain]
        given = {number for event in events if _is_set_by_program(event) for number in event.on}
        places = set()
        # `fit` calls its model, and a model its layers, at the same place: the outer one counts.
        for event in sorted(events, key=lambda event: event.what != FIT_FLAG):
            first = at(event) not in places
            places.add(at(event))
            if not first or event.options["given"] == "yes" or not (trained - given) & set(event.on):
                continue
            yield self.finding(
                facts.span(at(event)),
                _message(event),
                facts.function_of(event) or function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _is_set_by_program(event: Applied) -> bool:
    return event.options["given"] == "yes" and event.what == TRAINING_FLAG


def _message(event: Applied) -> str:
    layers = [f"`{each}`" for each in event.options["layers"].split(", ")]
    names = ", ".join(layers)
    work = "works" if len(layers) == 1 else "work"
    if event.what == FIT_FLAG:
        why = f"`{event.type}.call` has no `training` parameter"
        return f"{why}, so that {names} {work} as in inference while `fit` trains"
    return f"this call in a training step has no `training=True`, so that {names} {work} as in inference"


def _fix(facts: Facts, event: Applied) -> Fix:
    if event.what == FIT_FLAG:
        module = facts.sources.module(at(event).path)
        edit = with_parameter(module, event.type) if module is not None else None
        return offer("Give `call` a `training` parameter", edit)
    found = node_at(facts, at(event))
    return offer("Call it with `training=True`", with_flag(*found) if found is not None else None)
