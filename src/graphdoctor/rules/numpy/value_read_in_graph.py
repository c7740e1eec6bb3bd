"""GD801."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Use
from graphdoctor.recording.places import function_of
from graphdoctor.refactoring.calls.methods import METHODS, as_function, unread
from graphdoctor.refactoring.wrappers.python_statements import in_python
from graphdoctor.rules.event_places import at, call_at, function_at, function_name, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule
from graphdoctor.rules.staged import body_at


class ValueReadInGraph(Rule):
    """`.numpy()` needs a value, which a symbolic tensor does not have.

    What it finds
    `.numpy()`, `.item()` or `.tolist()` on a tensor or Variable in a traced function: in a `tf.function`, in
    `Dataset.map`, in `Layer.call`; `get_weights()` of a layer or model there; and methods of Python strings
    and NumPy arrays, which tensors do not have: `path.split("/")`, `image.astype("float32")`.

    Why it matters
    While tracing there is only the description of a computation. `.numpy()` exists on eager tensors
    only: AttributeError (NotImplementedError for a Variable).

    How to fix it
    Use TensorFlow's function: `tf.strings.split`, `tf.cast`. Compute with the tensor, return it, and read its
    value where the function is called; or run the Python code in `tf.py_function`.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD801"
    severity = Severity.ERROR
    failures = (
        FailureText(
            pattern=r"object has no attribute '(numpy|item|tolist)'",
            meaning="`.{0}()` needs the value of a symbolic tensor, which has none while tracing",
            order="Stay in TensorFlow",
        ),
        FailureText(
            pattern=r"numpy\(\) is only available when eager execution is enabled",
            meaning="the values of variables are read while tracing, when they do not exist",
            order="Stay in TensorFlow",
        ),
        FailureText(
            pattern=r"Tensor' object has no attribute '(" + "|".join(sorted(METHODS)) + ")'",
            meaning="`.{0}()` is a method of Python or NumPy values; a tensor does not have it",
            order="Use TensorFlow's function",
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x).numpy()


                print(mean(tf.ones([2])))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def mean(x):
                    return tf.reduce_mean(x)


                print(mean(tf.ones([2])))
                """,
            raises="AttributeError",
        ),
        Example(
            bad="""
                import tensorflow as tf

                dataset = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
                names = dataset.map(lambda path: path.numpy().decode())
                print(len(list(names)))
                """,
            good="""
                import tensorflow as tf

                dataset = tf.data.Dataset.from_tensor_slices(["a.txt", "b.txt"])
                names = dataset.map(lambda path: path)
                print(len([name.numpy().decode() for name in names]))
                """,
            raises="AttributeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "method"):
            found = call_at(facts, event)
            written = as_function(*found) if found is not None else None
            what = facts.text(event.given) or "this"
            yield self.finding(
                facts.span(at(event)),
                f"`{what}` is a tensor, which has no `{event.name}`",
                function_at(event),
                event=event,
                fix=offer(*written)
                if written
                else Fix(title="Use TensorFlow's function", safety=Safety.MANUAL),
            )
        for event in uses(facts, "read"):
            what, fixes = facts.text(event.given) or "the tensor", _fixes(facts, event)
            yield self.finding(
                facts.span(at(event)),
                f"`{what}` has no value while `{function_name(event)}` is traced",
                function_at(event),
                event=event,
                fix=fixes[0] if fixes else None,
                alternatives=tuple(fixes[1:]),
            )


def _fixes(facts: Facts, event: Use) -> list[Fix]:
    """Python called from the graph, where the result is unused; the tensor in place of its value."""
    found, history = call_at(facts, event), facts.history_of(event)
    traced = history.function if history is not None else None
    frames = [frame for frame in event.chain if frame.definition and function_of(frame.definition) == traced]
    around = body_at(facts, frames[-1].place) if frames else None
    stays, island = unread(*found) if found else None, in_python(*around) if around else None
    # Code that only displays values can stay in Python: the graph does not use its result.
    fixes = [offer("Use `tf.py_function`", island), offer("Stay with the tensor", stays)]
    return [fix for fix in fixes if fix.edits]
