"""GD130."""

import ast
from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Applied
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule
from graphdoctor.rules.staged import node_at
from graphdoctor.rules.telling import function_at

FEW_TURNS = 4


class PredictInLoop(Rule):
    """`predict` for one sample after the other spends its time on getting ready.

    What it finds
    `model.predict(x)` in a Python loop of many turns, also through functions and methods that the loop
    calls, when `x` holds a single sample: the action of an agent, one picture of many.

    Why it matters
    Each call of `predict` makes a pipeline of its data, calls callbacks and starts a loop of its own. On a
    small model it was measured to take 25 times as long as the call of the model, and 100 times as long as
    `predict_on_batch` (`benchmarks/predict_in_loop.py`).

    How to fix it
    `model.predict_on_batch(x)` takes and gives the same arrays. `model(x, training=False)` gives a tensor;
    inside a `tf.function` it is as fast. Best is to ask for many samples at once: one `predict` of all
    pictures.

    When to leave it
    When the loop waits for something else, such as a user, at each turn.
    """

    id = "GD130"
    severity = Severity.SLOW
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])


                def act(state):
                    return np.argmax(model.predict(state[None], verbose=0)[0])


                state = np.ones(4, "float32")
                actions = [act(state) for _ in range(10)]
                print(len(actions))
                """,
            good="""
                import numpy as np
                import tensorflow as tf

                model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])


                def act(state):
                    return np.argmax(model.predict_on_batch(state[None])[0])


                state = np.ones(4, "float32")
                actions = [act(state) for _ in range(10)]
                print(len(actions))
                """,
            output=("10", "10"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        told = set()
        for event in facts.of(Applied):
            if event.place in told:
                continue
            if event.what != "predict" or event.options.get("samples") != "1" or event.place is None:
                continue
            if not any(_has_many_turns(loop.turns) for frame in event.chain for loop in frame.loops):
                continue
            told.add(event.place)
            yield self.finding(
                facts.span(event.place),
                "`predict` is called for one sample at each turn of a loop, and gets ready anew each time",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _has_many_turns(turns: int | None) -> bool:
    return turns is None or turns > FEW_TURNS


def _fix(facts: Facts, event: Applied) -> Fix:
    """`model.predict(x, verbose=0)` → `model.predict_on_batch(x)`."""
    title = "Use `predict_on_batch`"
    found = node_at(facts, event.place)
    call = found[1] if found is not None else None
    if found is None or not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
        return Fix(title=title, safety=Safety.MANUAL)
    if len(call.args) != 1 or any(keyword.arg != "verbose" for keyword in call.keywords):
        return Fix(title=title, safety=Safety.MANUAL)
    module = found[0]
    receiver, given = module.source_of(call.func.value), module.source_of(call.args[0])
    edit = module.replace(call, f"{receiver}.predict_on_batch({given})")
    return Fix(title=title, safety=Safety.UNSAFE, edits=(edit,))
