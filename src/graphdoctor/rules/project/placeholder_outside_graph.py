"""GD912."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Safety, Severity, Since
from graphdoctor.recording.format import EAGER, LibraryCall
from graphdoctor.recording.places import related_to
from graphdoctor.rules.event_places import at, called_text, function_at
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.project.placeholder_in_graph import LEFTOVERS
from graphdoctor.rules.rule import Example, FailureText, Rule

ORDER = "Disable eager execution first"


class PlaceholderOutsideGraph(Rule):
    """Placeholders of TensorFlow 1 raise while eager execution is enabled.

    What it finds
    `tf.compat.v1.placeholder` in a program that TensorFlow 2 runs eagerly: nothing before it calls
    `disable_eager_execution` or `disable_v2_behavior`, no graph or session is open around it, and the
    project does not ask for TensorFlow 1.

    Why it matters
    `import tensorflow.compat.v1 as tf` provides the old names but not graph mode: the program raises
    RuntimeError at its first placeholder.

    How to fix it
    Call `tf.compat.v1.disable_eager_execution()` after the import, or open a graph around it:
    `with tf.Graph().as_default():`. Better, make the placeholder a parameter of a `tf.function`.

    When to leave it
    When the program is for TensorFlow 1 alone: say so in the requirements.
    """

    id = "GD912"
    severity = Severity.ERROR
    since = Since.TENSORFLOW_2
    failures = (
        FailureText(
            pattern=r"placeholder\W+is not compatible with eager execution",
            meaning="a placeholder of TensorFlow 1 is created while eager execution is enabled",
            order=ORDER,
        ),
    )
    examples = (
        Example(
            bad="""
                import tensorflow.compat.v1 as tf

                x = tf.placeholder(tf.float32, [2])
                y = x * 2.0
                session = tf.Session()
                print(session.run(y, {x: [1.0, 2.0]}))
                """,
            good="""
                import tensorflow.compat.v1 as tf

                tf.disable_eager_execution()

                x = tf.placeholder(tf.float32, [2])
                y = x * 2.0
                session = tf.Session()
                print(session.run(y, {x: [1.0, 2.0]}))
                """,
            raises="RuntimeError",
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        for event in facts.of(LibraryCall):
            if event.name in LEFTOVERS and event.traced == EAGER:
                since = [each.place for each in event.arguments if each.place is not None]
                yield self.finding(
                    facts.span(at(event)),
                    f"`{called_text(facts, event) or event.name}` needs a graph; eager execution is enabled",
                    function_at(event),
                    event=event,
                    related=tuple(related_to(place, "enabled since this import") for place in since),
                    fix=Fix(title=ORDER, safety=Safety.MANUAL),
                )
