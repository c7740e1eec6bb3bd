"""GD206."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Severity
from graphdoctor.rules.effects.kept import deferring
from graphdoctor.rules.effects.side_effects import called, calls_from, figures, repeated_effects, what_ran
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class FileWrittenInGraph(Rule):
    """Python code that writes a file in a traced function runs only while tracing.

    What it finds
    `open(…, "w")`, `json.dump`, `pickle.dump`, `np.save`, `os.remove`, `requests.post` and other
    Python that changes something outside the program, in a function that TensorFlow traces.

    Why it matters
    Python statements run only while the function is traced. The file is written at the first call and not at
    later ones.

    How to fix it
    Return the value and write outside the function; or use `tf.io.write_file` or `tf.summary`, which are
    graph operations; or wrap the Python code in `tf.py_function`.

    When to leave it
    When it should happen once per trace.
    """

    id = "GD206"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import tensorflow as tf


                @tf.function
                def step(x):
                    with open("steps.txt", "a") as log:
                        log.write("step\\n")
                    return x * 2.0


                for _ in range(3):
                    step(tf.ones([2]))
                print(len(open("steps.txt").readlines()))
                """,
            good="""
                import tensorflow as tf


                @tf.function
                def step(x):
                    return x * 2.0


                for _ in range(3):
                    step(tf.ones([2]))
                    with open("steps.txt", "a") as log:
                        log.write("step\\n")
                print(len(open("steps.txt").readlines()))
                """,
            output=("1", "3"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        yield from super().judge(facts)
        written = list(repeated_effects(facts, "write"))
        opened = {(function, event.chain[-1].function) for event, function in written if event.name == "open"}
        for event, function in written:
            again = event.name.startswith("file.") and (function, event.chain[-1].function) in opened
            if event.place is not None and not again:
                span = facts.span(event.place)
                yield self.finding(
                    span,
                    what_ran(facts, event, "the write")
                    or f"`{called(facts, event)}` runs only while `{function.name}` is traced, "
                    "not at each call",
                    function,
                    event=event,
                    observed=figures(facts, event),
                    alternatives=deferring(facts, span, calls_from(event, function)),
                )
