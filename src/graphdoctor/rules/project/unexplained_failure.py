"""GD900."""

from collections.abc import Iterator

from msgspec.structs import replace

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.model.words import shortened
from graphdoctor.recording.failing import Failed
from graphdoctor.recording.format import Argument
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.failures import explanation, failure_finding, gradient_behind, tells_of_none
from graphdoctor.rules.rule import Example, FailureText, Rule

LONGEST_TEXT = 200
WORKS = "works"  # of `Failure.eagerly`
ANYTHING = FailureText(pattern="", meaning="", order="Run it eagerly to look inside", vague=True)


class UnexplainedFailure(Rule):
    """An exception from traced code, Keras, tf.data, a tape or an exporter that no other rule explains.

    What it finds
    In a run: any exception that ended a trace, or that came out of a graph function, a Keras model, a
    pipeline of tf.data, a gradient, or the saving of a model (`tf.saved_model.save`, `export`, `tf.lite`);
    with the line of yours where it arose, what was being traced, and the types of the values there. One
    that the program catches has low confidence.

    Why it matters
    TensorFlow's own traceback ends in generated code or in a library, and hides whether AutoGraph converted
    the code.

    How to fix it
    Look at the values that are named. `tf.config.run_functions_eagerly(True)` before the call lets a
    debugger stop at the line.

    When to leave it
    When the exception is intended.
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
                grounds = self.grounds_of(failed.failure)
                order = Fix(title=_order(failed), safety=Safety.MANUAL)
                yield failure_finding(
                    self,
                    failed,
                    _message(failed),
                    grounds=replace(grounds, expected=grounds.expected or grounds.caught),
                    fix=order if failed.traces and failed.failure.eagerly in ("", WORKS) else None,
                )


def _order(failed: Failed) -> str:
    return ANYTHING.order if failed.failure.eagerly == WORKS else "Look at the values named here"


def _is_ours(failed: Failed) -> bool:
    """Whether it came out of a trace or a library, and not out of the program's own eager code."""
    return bool(failed.traces or failed.failure.through)


def _message(failed: Failed) -> str:
    failure = failed.failure
    shown = shortened(" ".join(failure.text.split()), LONGEST_TEXT)
    values = ", ".join(f"`{value.path}` is {_kind(value)}" for value in failure.values)
    said = f"{failure.type}: {shown}" if shown else failure.type
    here = f"; here {values}" if values else ""
    made = f"; the last operations were {', '.join(failure.made)}" if failure.made else ""
    return f"{_what(failed)} with {said}{here}{made}{_eagerly(failure.eagerly)}"


def _eagerly(outcome: str) -> str:
    """What the line did in eager execution, where that was tried."""
    if not outcome:
        return ""
    tried = "on tensors of these shapes, the line"
    return f"; eagerly, {tried} works" if outcome == WORKS else f"; eagerly, {tried} raises {outcome} as well"


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
