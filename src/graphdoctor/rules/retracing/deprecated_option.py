"""GD105."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Safety, Severity
from graphdoctor.recording.format import Made, Place
from graphdoctor.recording.places import span_of
from graphdoctor.rewriting.options import keyword_with, left_out, renamed
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.offering import offer
from graphdoctor.rules.rule import Example, Rule

NEW_NAMES = {"experimental_relax_shapes": "reduce_retracing", "experimental_compile": "jit_compile"}
GONE = "experimental_follow_type_hints"  # accepted and not looked at (TensorFlow 2.21)


class DeprecatedOption(Rule):
    """Options of `tf.function` that have another name today.

    What it finds
    `experimental_relax_shapes`, `experimental_compile` and `experimental_follow_type_hints` given to
    `tf.function`.

    Why it matters
    They are deprecated and will go; they do the same under their new names, which exist since
    TensorFlow 2.9.

    How to fix it
    `reduce_retracing` and `jit_compile`.

    When to leave it
    While you must still support a TensorFlow older than 2.9.
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
        told: set[Place] = set()
        for made in facts.of(Made):
            given = {option.path for option in made.arguments}
            for option in made.arguments:
                new = NEW_NAMES.get(option.path)
                place = option.place or made.place
                old = (new is not None and new not in given) or option.path == GONE
                if place is None or place in told or not old:
                    continue
                told.add(place)
                yield self._told(option.path, new, place, facts)

    def _told(self, name: str, new: str | None, place: Place, facts: Facts) -> Finding:
        """What an option is called today, with the edit where it stands in the call itself."""
        message = f"`{name}` is called `{new}` today" if new else f"`{name}` does nothing any more"
        found = facts.sources.node(span_of(place))
        keyword = keyword_with(*found, name) if found is not None else None
        order = f"Write `{new}`" if new else "Leave it out"
        edit = (renamed(keyword, new) if new else left_out(keyword)) if keyword is not None else None
        span = keyword.span if keyword is not None else span_of(place)
        return self.finding(span, message, fix=offer(order, edit, Safety.SAFE))
