"""GD126."""

from collections.abc import Iterator

from graphdoctor.model import Finding, Fix, Observed, Safety, Severity
from graphdoctor.model.span import whole_line
from graphdoctor.recording.format import EditedSource
from graphdoctor.rules.facts import Facts
from graphdoctor.rules.rule import Example, Rule


class SourceFileChanged(Rule):
    """A source file was edited after its import, and AutoGraph traced a function from the new text.

    What it finds
    In a run: the first trace of a function whose file no longer contains the imported code at the function's
    lines.

    Why it matters
    Python runs what it imported; AutoGraph reads the file again when it converts a function. A program that
    loads data for minutes while its author edits the file runs the edited text or, where lines have moved,
    the text of another function.

    How to fix it
    Restart the program, or import the module again (`importlib.reload`) and use its new functions. Do not
    edit files of a running program; run long trainings from a copy.

    When to leave it
    Never: the program that runs is neither the old nor the new one.
    """

    id = "GD126"
    severity = Severity.WRONG
    examples = (
        Example(
            bad="""
                import pathlib
                import sys

                import tensorflow as tf

                sys.path.insert(0, "")
                file = pathlib.Path("scaling.py")
                file.write_text("def scale(x):\\n    return x * 2.0\\n")
                import scaling

                file.write_text("def scale(x):\\n    return x * 30.0\\n")

                print(scaling.scale(1.0), tf.function(scaling.scale)(tf.constant(1.0)).numpy())
                """,
            good="""
                import importlib
                import pathlib
                import sys

                import tensorflow as tf

                sys.path.insert(0, "")
                file = pathlib.Path("scaling.py")
                file.write_text("def scale(x):\\n    return x * 2.0\\n")
                import scaling

                file.write_text("def scale(x):\\n    return x * 30.0\\n")
                importlib.reload(scaling)
                print(scaling.scale(1.0), tf.function(scaling.scale)(tf.constant(1.0)).numpy())
                """,
            output=("2.0 30.0", "30.0 30.0"),
        ),
    )

    def judge(self, facts: Facts) -> Iterator[Finding]:
        for event in facts.of(EditedSource):
            changed = event.function
            yield self.finding(
                whole_line(changed.path, changed.line),
                f"`{changed.name}` was traced from the new text of its file, which was edited after "
                f"its import",
                facts.function_of(event),
                event=event,
                argument=changed.name,
                observed=Observed(traces=0, seconds=0.0),
                fix=Fix(title="Restart the program", safety=Safety.MANUAL),
            )
