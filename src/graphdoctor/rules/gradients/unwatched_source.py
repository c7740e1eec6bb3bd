"""GD501."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity
from graphdoctor.recording.format import Gradient
from graphdoctor.refactoring.tapes.blocks import Tape
from graphdoctor.refactoring.tapes.recorded_statements import watched
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.gradients.evidence import Asked, missing
from graphdoctor.rules.offering import offer
from graphdoctor.rules.repair import MISSING_GRADIENT
from graphdoctor.rules.rule import Example, Rule


class UnwatchedSource(Rule):
    """The gradient with respect to a tensor is None unless the tape watches the tensor.

    What it finds
    `tape.gradient(target, x)` where `x` is a tensor created outside the tape and `tape.watch(x)` is missing;
    also variables that a tape with `watch_accessed_variables=False` does not watch.

    Why it matters
    A tape automatically watches trainable variables and nothing else. For any other tensor the gradient is
    None, without a warning. Saliency maps, adversarial examples and physics-informed losses need such
    gradients.

    How to fix it
    Call `tape.watch(x)` first in the tape's block.

    When to leave it
    Where the code asks for None itself (`if g is None`, `assert g is None`), or shows the answer beside one
    of the same tape that there is, the confidence is low.
    """

    id = "GD501"
    severity = Severity.WRONG
    repair = MISSING_GRADIENT
    examples = (
        Example(
            bad="""
                import tensorflow as tf

                x = tf.constant([1.0, 2.0])
                with tf.GradientTape() as tape:
                    y = tf.reduce_sum(x * x)
                print(tape.gradient(y, x))
                """,
            good="""
                import tensorflow as tf

                x = tf.constant([1.0, 2.0])
                with tf.GradientTape() as tape:
                    tape.watch(x)
                    y = tf.reduce_sum(x * x)
                print(tape.gradient(y, x))
                """,
            output=("None", "tf.Tensor([2. 4.], shape=(2,), dtype=float32)"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        orders = {"not-watched": "Call `tape.watch` first"}
        yield from missing(self, facts, orders, at_call=True, fixing=_fix)


def _fix(event: Gradient, asked: Asked) -> Fix | None:
    tape, names = asked.tape, _names_beside_tape(event, asked)
    if not names or not all(name.isidentifier() and _is_there_first(tape, name) for name in names):
        return None
    watched_names = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
    edit = watched(asked.module, tape, watched_names)
    return offer(f"Call `{tape.name}.watch({watched_names})` first", edit, Safety.SAFE)


def _is_there_first(tape: Tape, name: str) -> bool:
    """Whether a name has its value when the tape is opened, and keeps it."""
    return tape.has_when_opened(name) and not any(tape.holds(node) for node in tape.bindings(name))


def _names_beside_tape(event: Gradient, asked: Asked) -> list[str]:
    """What the function that opened the tape calls the sources; empty where one has no name there."""
    written, of_all = asked.question.plain_sources, asked.question.name_of_all
    if len(written) == event.asked:
        return list(dict.fromkeys(asked.module.source_of(written[source.index]) for source in event.sources))
    return [of_all] if of_all else []
