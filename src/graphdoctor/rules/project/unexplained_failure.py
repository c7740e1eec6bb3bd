"""GD900."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.model.words import shortened
from graphdoctor.recording.failing import Failed
from graphdoctor.recording.format import Argument
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.failures import explanation, failure_finding, gradient_behind, tells_of_none
from graphdoctor.rules.rule import Example, FailureText, Rule

LONGEST_TEXT = 200
ANYTHING = FailureText(pattern="", meaning="", order="Run it eagerly to look inside", vague=True)


class UnexplainedFailure(Rule):
    """An exception left traced code, Keras, tf.data, a tape or an exporter, and no other rule says why.

    What it finds
    In a run: any exception that ended a trace, or that came out of a graph function, a Keras model, a
    pipeline of tf.data, a gradient, or the saving of a model (`tf.saved_model.save`, `export`, `tf.lite`);
    with the line of yours where it arose, what was being traced, and the types of the values there. One
    that the program catches is a note.

    Why it matters
    TensorFlow's own traceback ends in code that it made or in a library, and hides whether the code ran
    under AutoGraph.

    How to fix it
    Look at the values that are named. `tf.config.run_functions_eagerly(True)` before the call lets a
    debugger stop at the line.

    When to leave it
    When the exception is meant.
    """

    id = "GD900"
    severity = Severity.ERROR
    failures = (ANYTHING,)
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def joined(first, second):
                    return tf.concat([first, second], axis=0)


                joined(tf.ones([2, 3]), tf.ones([2, 4]))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def joined(first, second):
                    return tf.concat([first, second], axis=1)


                joined(tf.ones([2, 3]), tf.ones([2, 4]))
                """,
            raises="ValueError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for failed in facts.failures:
            found = explanation(failed)
            explained = found is None or found[0] != self.id or gradient_behind(failed, facts) is not None
            explained = explained or tells_of_none(failed, facts)
            if not explained and _is_ours(failed):
                order = Fix(title=ANYTHING.order, safety=Safety.MANUAL)
                yield failure_finding(
                    self,
                    failed,
                    _message(failed),
                    severity=Severity.NOTE if failed.failure.caught else Severity.ERROR,
                    fix=order if failed.traces else None,
                )


def _is_ours(failed: Failed) -> bool:
    """Whether it came out of a trace or a library, and not out of the program's own eager code."""
    return bool(failed.traces or failed.failure.through)


def _message(failed: Failed) -> str:
    failure = failed.failure
    shown = shortened(" ".join(failure.text.split()), LONGEST_TEXT)
    values = ", ".join(f"`{value.path}` is {_kind(value)}" for value in failure.values)
    said = f"{failure.type}: {shown}" if shown else failure.type
    return f"{_what(failed)} with {said}{f'; here {values}' if values else ''}"


def _what(failed: Failed) -> str:
    if not failed.traces:
        entered = next((frame.entered for frame in reversed(failed.failure.chain) if frame.entered), "")
        return f"`{entered}` ended" if entered and not entered.startswith("__") else "this ended"
    traced = failed.traces[-1]
    step = f" (`{traced.step}` of Keras)" if traced.step else ""
    how = "" if failed.failure.converted else ", in code that AutoGraph does not convert,"
    return f"the trace of `{traced.function.name}`{step}{how} ended"


def _kind(value: Argument) -> str:
    if value.kind == "value":
        return value.text
    if value.kind in ("tensor", "variable", "array"):
        shape = "of unknown rank" if value.shape is None else str(list(value.shape)).replace("None", "?")
        return f"a {value.kind} {value.dtype} {shape}"
    return f"a {value.type}" + (f" of {value.length}" if value.length else "")
