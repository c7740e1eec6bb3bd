"""GD105."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.recording.format import Made, Place
from graphdoctor.recording.places import span_of
from graphdoctor.refactoring.options.function_options import keyword_with, left_out, renamed
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

NEW_NAMES = {"experimental_relax_shapes": "reduce_retracing", "experimental_compile": "jit_compile"}
GONE = "experimental_follow_type_hints"  # accepted and ignored (TensorFlow 2.21)


class DeprecatedOption(Rule):
    """A deprecated option of `tf.function`.

    What it finds
    `experimental_relax_shapes`, `experimental_compile` and `experimental_follow_type_hints` given to
    `tf.function`.

    Why it matters
    They are deprecated and will be removed. The new names exist since TensorFlow 2.9 and do the same.

    How to fix it
    Write `reduce_retracing` and `jit_compile`; remove `experimental_follow_type_hints`, which has no effect.

    When to leave it
    While you support a TensorFlow older than 2.9.
    """

    id = "GD105"
    severity = Severity.NOTE
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function(experimental_relax_shapes=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in (1, 2, 3, 4):
                    total(tf.ones([length]))
                """,
            good="""
                import tensorflow as tf


                @tf.function(reduce_retracing=True)
                def total(x):
                    return tf.reduce_sum(x)


                for length in (1, 2, 3, 4):
                    total(tf.ones([length]))
                """,
            traces=(2, 2),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        reported: set[Place] = set()
        for made in facts.of(Made):
            given = {option.path for option in made.arguments}
            for option in made.arguments:
                new = NEW_NAMES.get(option.path)
                place = option.place or made.place
                old = (new is not None and new not in given) or option.path == GONE
                if place is None or place in reported or not old:
                    continue
                reported.add(place)
                yield self._report(option.path, new, place, facts)

    def _report(self, name: str, new: str | None, place: Place, facts: Facts) -> Finding:
        """The new name of an option, with the edit where the call itself has it."""
        message = f"`{name}` is deprecated: its new name is `{new}`" if new else f"`{name}` has no effect"
        found = facts.sources.node(span_of(place))
        keyword = keyword_with(*found, name) if found is not None else None
        order = f"Rename it to `{new}`" if new else "Remove it"
        edit = (renamed(keyword, new) if new else left_out(keyword)) if keyword is not None else None
        span = keyword.span if keyword is not None else span_of(place)
        return self.finding(span, message, fix=offer(order, edit, Safety.SAFE))
