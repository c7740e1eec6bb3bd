"""Which variant is the best: programs are played here by what each text of them would take."""

import re
from collections.abc import Callable, Mapping

from graphdoctor.fixing.copies import Place
from graphdoctor.fixing.steps_file import Site, Stepped
from graphdoctor.fixing.trials import PLAIN, Ended, Trial, Variation
from graphdoctor.fixing.witness_file import Leaf, Witnessed
from graphdoctor.model.tuning import Alternative, Tuning
from graphdoctor.reports.tuning import render_tuning
from graphdoctor.tuning import Tuner

PROGRAM = """\
import tensorflow as tf


def step(x):
    with tf.GradientTape() as tape:
        loss = x * x
    return tape.gradient(loss, x)


data = tf.data.Dataset.range(8).map(load)
for x in data:
    step(x)
"""
STACK = (Site("p.py", 12, "<module>"), Site("p.py", 7, "step"))


class Theatre:
    """A laboratory in which nothing runs: of each text it knows the time of a step, and the result."""

    place = Place("/root", "/root", ("p.py",), "p.py")

    def __init__(self, play: Callable[[str], tuple[float, float, float]], epoch: int = 0) -> None:
        self._play, self._epoch = play, epoch
        self.runs: list[str] = []

    def text(self, path: str) -> str:
        return PROGRAM

    def scout(self, steps: int) -> Trial:
        stepped = Stepped(counts={"tape": steps}, stacks={"tape": STACK})
        return Trial(Ended(0, "", ""), Witnessed(), stepped=stepped)

    def witness(self, texts: Mapping[str, str], variation: Variation = PLAIN) -> Trial:
        text = texts["p.py"]
        self.runs.append(text)
        seconds, first, result = self._play(text)
        if seconds < 0:
            return Trial(Ended(1, "", "Traceback\nValueError: no graph\n"), Witnessed())
        marks = tuple((n, first * bool(n) + n * seconds) for n in range(variation.steps + 1))
        epochs = tuple(range(0, variation.steps, self._epoch)) if self._epoch else (0,)
        leaf = Leaf(dtype="float32", shape=(1,), values=(result,))
        witnessed = Witnessed(variables=(("w", leaf),), numbered={0: leaf}, ended=True)
        return Trial(Ended(0, "", ""), witnessed, stepped=Stepped(marks=marks, epochs=epochs))


def tuned(theatre: Theatre, **options: object) -> Tuning:
    return Tuner(theatre, 32, lambda text: None, **options).run()  # type: ignore[arg-type]


def by_name(found: Tuning) -> dict[str, Alternative]:
    return {one.name: one for one in found.alternatives}


def test_the_best_is_the_fastest_that_computes_the_same() -> None:
    def play(text: str) -> tuple[float, float, float]:
        if "jit_compile" in text:
            return 0.01, 0.0, 7.0  # the fastest, and wrong
        return (0.02, 2.0, 1.0) if "@tf.function" in text else (0.1, 0.5, 1.0)

    found = tuned(Theatre(play))
    assert found.best == "step as tf.function"
    variant = by_name(found)["step as tf.function"]
    assert (variant.factor, variant.same, variant.pays_after) == (
        5.0,
        True,
        19,
    )  # 1.5 s more, 0.08 s less each
    wrong = by_name(found)["step as tf.function, jit_compile"]
    assert wrong.same is False
    assert "variables" in wrong.difference
    assert [line for line in found.diff.splitlines() if re.match(r"[+-][^+-]", line)] == ["+@tf.function"]
    assert found.where == "p.py:11: step, in the loop"


def test_nothing_helps_is_an_answer() -> None:
    found = tuned(Theatre(lambda text: (0.1, 0.5, 1.0)))
    assert (found.best, found.diff) == ("", "")
    assert "Nothing that was tried is clearly faster and computes the same: leave it as it is." in (
        render_tuning(found)
    )


def test_a_gain_within_the_noise_is_none() -> None:
    found = tuned(Theatre(lambda text: (0.097 if "@tf" in text else 0.1, 0.5, 1.0)))
    assert found.best == ""


def test_what_helps_is_combined_and_measured_again() -> None:
    def play(text: str) -> tuple[float, float, float]:
        seconds = 0.1 - 0.04 * ("@tf.function\n" in text) - 0.03 * ("num_parallel_calls" in text)
        return seconds, 0.5, 1.0

    found = tuned(Theatre(play))
    assert found.best == "step as tf.function + parallel calls"
    assert "+@tf.function" in found.diff
    assert "num_parallel_calls=tf.data.AUTOTUNE" in found.diff


def test_what_is_faster_alone_may_be_slower_together() -> None:
    def play(text: str) -> tuple[float, float, float]:
        graph, parallel = "@tf.function\n" in text, "num_parallel_calls" in text
        return (0.2 if graph and parallel else 0.05 if graph else 0.07 if parallel else 0.1), 0.5, 1.0

    assert tuned(Theatre(play)).best == "step as tf.function"


def test_what_cannot_run_is_said_with_the_reason() -> None:
    found = tuned(Theatre(lambda text: (-1.0, 0.0, 0.0) if "@tf" in text else (0.1, 0.5, 1.0)))
    assert by_name(found)["step as tf.function"].reason == "ValueError: no graph"
    assert "step as tf.function: ValueError: no graph" in render_tuning(found)
    assert by_name(found)["prefetch"].factor == 1.0


def test_a_program_that_dies_is_not_measured() -> None:
    found = tuned(Theatre(lambda text: (-1.0, 0.0, 0.0)))
    assert found.best == ""
    assert found.notes == ("the program as it is could not be measured: ValueError: no graph",)
    assert "No variant could be measured." in render_tuning(found)


def test_runs_are_interleaved() -> None:
    theatre = Theatre(lambda text: (0.1, 0.5, 1.0))
    tuned(theatre, only=("prefetch",))
    kinds = ["prefetch" in text for text in theatre.runs]
    assert kinds == [False, False, True, False, True, False, True]  # the first one finds the epochs
    assert all("_graphdoctor_step()" in text for text in theatre.runs)


def test_short_epochs_are_measured_whole() -> None:
    found = tuned(Theatre(lambda text: (0.1, 0.5, 1.0), epoch=10))
    assert (found.warm_steps, found.steps) == (10, 30)
    assert found.notes == ()


def test_without_a_second_epoch_the_cache_is_not_judged() -> None:
    (note,) = tuned(Theatre(lambda text: (0.1, 0.5, 1.0))).notes
    assert note.startswith("no second epoch began in 32 steps")


def test_a_program_without_training_is_said() -> None:
    class Idle(Theatre):
        def scout(self, steps: int) -> Trial:
            return Trial(Ended(0, "", ""), Witnessed(), stepped=Stepped())

    found = tuned(Idle(lambda text: (0.1, 0.5, 1.0)))
    assert found.alternatives == ()
    assert found.notes[0].startswith("no training was seen")
