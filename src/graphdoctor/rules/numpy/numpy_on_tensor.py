"""GD802."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Since
from graphdoctor.recording.format import Use
from graphdoctor.refactoring.calls.numpy_functions import in_tensorflow
from graphdoctor.rules.event_places import at, call_at, called_text, function_at, uses
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, FailureText, Rule


class NumpyOnTensor(Rule):
    """NumPy, and other libraries outside TensorFlow, cannot compute with a symbolic tensor.

    What it finds
    A NumPy function that is given a tensor in a traced function. Which functions raise was found by
    running each of them; `np.shape`, `np.ndim` and NumPy on static shapes work and are left alone.
    Likewise files and paths (`open(path)`, `os.path.join(folder, name)`, `np.load(path)`) and the
    libraries of pictures, sound and tables (OpenCV, Pillow, librosa, pandas…), as in a function given
    to `Dataset.map`.

    Why it matters
    They need the values of the tensor, which do not exist while tracing: NotImplementedError "Cannot convert
    a symbolic tf.Tensor to a numpy array", or TypeError "expected str, bytes or os.PathLike object, not
    SymbolicTensor".

    How to fix it
    Use the function of the same name in `tf`, `tf.math` or `tf.experimental.numpy`; mind that
    `np.mean` of integers gives a float and `tf.reduce_mean` an integer. Files: `tf.io.read_file`,
    `tf.strings`. Where there is none, `tf.numpy_function` around the Python code.

    When to leave it
    Never: it raises when the function is traced.
    """

    id = "GD802"
    severity = Severity.ERROR
    since = Since.NUMPY_1_20
    failures = (
        FailureText(
            pattern=r"Cannot convert a symbolic tf\.Tensor",
            meaning="a NumPy function gets a symbolic tensor, which has no value while tracing",
            order="Use the TensorFlow function",
        ),
    )
    examples = (
        Example(
            bad="""
                import numpy as np
                import tensorflow as tf


                @tf.function
                def spread(x):
                    return np.std(tf.square(x))


                print(spread(tf.constant([1.0, 2.0])))
                """,
            good="""
                import numpy as np
                import tensorflow as tf


                @tf.function
                def spread(x):
                    return tf.math.reduce_std(tf.square(x))


                print(spread(tf.constant([1.0, 2.0])))
                """,
            raises="NotImplementedError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in uses(facts, "numpy"):
            what = facts.text(event.given) or "the tensor"
            yield self.finding(
                facts.span(at(event)),
                f"`{called_text(facts, event) or event.name}` needs the values of the tensor `{what}` "
                "while tracing",
                function_at(event),
                event=event,
                fix=_fix(facts, event),
            )


def _fix(facts: Facts, event: Use) -> Fix:
    found = call_at(facts, event)
    written = in_tensorflow(*found) if found is not None else None
    if written is None:
        return Fix(title="Use the TensorFlow operation", safety=Safety.MANUAL)
    return offer(*written)
