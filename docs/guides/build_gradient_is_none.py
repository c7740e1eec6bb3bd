"""Writes gradient-is-none.md: every program in it is run, and every report is what graphdoctor said.

python docs/guides/build_gradient_is_none.py
"""

import dataclasses
import inspect
import io
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable

from rich.console import Console

from graphdoctor.config import Config
from graphdoctor.judging import judge_recordings
from graphdoctor.model import Report
from graphdoctor.observer.launch import launch
from graphdoctor.recording import read_recording
from graphdoctor.reports import excerpt
from graphdoctor.reports.terminal import render_finding
from graphdoctor.rules import find_rule

PAGE = pathlib.Path(__file__).with_name("gradient-is-none.md")
PROGRAM = "train.py"
Run = Callable[[str], Report]

STOPPED = """
    import tensorflow as tf

    w = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        target = tf.stop_gradient(w * w)
        loss = target * 3.0
    print(tape.gradient(loss, w))
    """
CUSTOM = """
    import tensorflow as tf


    @tf.custom_gradient
    def clipped(x):
        def gradient(upstream):
            return None

        return tf.clip_by_value(x, 0.0, 1.0), gradient


    w = tf.Variable(0.5)
    with tf.GradientTape() as tape:
        loss = clipped(w) * 3.0
    print(tape.gradient(loss, w))
    """
NESTED = """
    import tensorflow as tf
    from tensorflow.keras import layers

    backbone = tf.keras.Sequential([tf.keras.Input([8, 8, 1]), layers.Conv2D(2, 3, name="last")])
    image = tf.keras.Input([8, 8, 1])
    pooled = layers.GlobalAveragePooling2D()(backbone(image))
    classifier = tf.keras.Model(image, layers.Dense(2)(pooled))
    features_of = tf.keras.Model(backbone.inputs, backbone.get_layer("last").output)

    picture = tf.ones([1, 8, 8, 1])
    with tf.GradientTape() as tape:
        features = features_of(picture)
        tape.watch(features)
        score = classifier(picture)[:, 0]
    print(tape.gradient(score, features))
    """
IN_A_FUNCTION = """
    import tensorflow as tf

    w = tf.Variable([0.2, 0.8])


    @tf.function
    def hard(x):
        return tf.round(x)


    @tf.function
    def train_step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(hard(w * 2.0))
        return [gradient is None for gradient in tape.gradient(loss, [w])]


    print(train_step())
    """
LOOP = """
    import tensorflow as tf

    w = tf.Variable([0.5, 1.5])


    @tf.function
    def train_step(steps):
        with tf.GradientTape() as tape:
            state = w * 1.0
            for _ in tf.range(steps):
                state = tf.round(state * 2.0)
            loss = tf.reduce_sum(state)
        return tape.gradient(loss, w)


    print(train_step(tf.constant(3)))
    """


@dataclasses.dataclass(frozen=True)
class Section:
    """A heading, a sentence, and the program that shows it: text, or the n-th example of a rule."""

    heading: str
    words: str
    program: str = ""
    rule: str = ""
    example: int = 0

    def texts(self) -> tuple[str, str]:
        """The program that fails, and the repaired one if there is one."""
        if self.program:
            return inspect.cleandoc(self.program) + "\n", ""
        rule = find_rule(self.rule)
        assert rule is not None
        example = rule.examples[self.example]
        return example.bad, example.good


SECTIONS = (
    Section("Not watched", "A tape watches variables by itself, and nothing else.", rule="GD501"),
    Section(
        "Computed outside the tape",
        "What runs after the block is not on the tape; the same holds for what ran before it.",
        rule="GD502",
    ),
    Section(
        "The path left TensorFlow",
        "An array or a Python number has no history. NumPy takes a tensor's memory without asking "
        "TensorFlow; which call it was is read from the source.",
        rule="GD503",
    ),
    Section("`model.predict`", "It returns an array; call the model instead.", rule="GD503", example=1),
    Section(
        "An operation without a gradient",
        "The first one on the way from the target back to the source is named, with the usual stand-in.",
        rule="GD504",
    ),
    Section(
        "The same, deep in traced functions",
        "In a graph the path is followed through the functions that are called, and through conditions "
        "and loops, to the line that breaks it.",
        program=IN_A_FUNCTION,
    ),
    Section(
        "Zeros, not None, from a loop",
        "For what runs in a loop of the graph TensorFlow gives zeros where it would give None elsewhere, "
        "and no error follows: the weights just stay as they are. `batch_jacobian` does the same.",
        program=LOOP,
    ),
    Section("Stopped on purpose", "`tf.stop_gradient` does what it says.", program=STOPPED),
    Section("A custom gradient that gives None", "The function's own gradient decides.", program=CUSTOM),
    Section("Integers", "Only floating point and complex numbers have gradients.", rule="GD505"),
    Section("A variable replaced by a tensor", "The second step has no gradient.", rule="GD506"),
    Section("Variables that are not trainable", "Moving statistics have no gradient.", rule="GD508"),
    Section("No variables yet", "A model makes its variables at its first call.", rule="GD509"),
    Section("Through a variable's state", "A tape does not see assignments.", rule="GD512"),
    Section("Watched too late", "`watch` has no effect on what was computed before.", rule="GD513"),
    Section(
        "A nested model (Grad-CAM)",
        "Two models that share layers still make two tensors: the target comes from the other one.",
        program=NESTED,
    ),
    Section(
        "The optimizer is given None, but not by a tape",
        "The tape gave a gradient, and the program lost it on the way to the optimizer.",
        rule="GD517",
    ),
    Section(
        "Unused, and nothing is broken",
        "No path of any kind leads to the variable: None is right, and the finding is a note.",
        rule="GD515",
    ),
)

HEAD = """# My gradient is None

`tape.gradient` gives None, or Keras says "No gradients provided for any variable" or "Gradients do not
exist for variables". There are a dozen reasons, and TensorFlow names none of them. `graphdoctor run
train.py` does, without a change to the program: it follows the path from the target back to each
source and says where it ends, in your own lines. In a program, ask:

```python
from graphdoctor import explain_gradient  # at the top: tapes are recorded from here on

print(explain_gradient(loss, model.trainable_variables, tape=tape))
print(explain_gradient(lambda: compute_loss(batch), model.trainable_variables))
```

Eager operations are recorded in the first three uses of each tape only, so that a long run pays next to
nothing; if a None appears later, the next use of that tape is recorded. Traced functions are read from
their graphs. Below, each reason with a program that has it and what graphdoctor says of it. This page is
written by `docs/guides/build_gradient_is_none.py`, which runs them all.
"""


def build_page(run: Run) -> str:
    """The page; `run` runs a program in the current directory and tells what graphdoctor says of it."""
    return HEAD + "".join(_section(section, run) for section in SECTIONS)


def _section(section: Section, run: Run) -> str:
    bad, good = section.texts()
    said = "\n\n".join(_said(run(bad)))
    text = f"\n## {section.heading}\n\n{section.words}\n\n```python\n{bad}```\n\n```text\n{said}\n```\n"
    return text + (f"\nInstead:\n\n```python\n{good}```\n" if good else "")


def _said(report: Report) -> list[str]:
    texts = []
    for finding in report.findings:
        if finding.rule.startswith("GD5") and finding.observed is not None:
            stream = io.StringIO()
            console = Console(file=stream, width=90, no_color=True, highlight=False)
            for line in render_finding(finding, width=90):
                console.print(line, soft_wrap=True)
            text = stream.getvalue().replace(os.getcwd() + os.sep, "")
            texts.append("\n".join(line.rstrip() for line in text.rstrip().split("\n")))
    assert texts, "a program of this page shows nothing"
    return texts


def run_here(text: str) -> Report:
    """Run a program as `graphdoctor run` does, in the current directory."""
    pathlib.Path(PROGRAM).write_text(text, encoding="utf-8")
    recording = os.path.abspath("recording.jsonl")
    with open(os.devnull, "w") as nowhere:
        launch(
            [PROGRAM],
            python=sys.executable,
            recording=recording,
            stdout=nowhere.fileno(),
            stderr=nowhere.fileno(),
        )
    excerpt._lines.cache_clear()  # another program stood in this file before
    return judge_recordings((read_recording(recording),), Config())


if __name__ == "__main__":
    page = PAGE.resolve()
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        text = build_page(run_here)
        os.chdir(page.parent)
    page.write_text(text, encoding="utf-8")
