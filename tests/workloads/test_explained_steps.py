"""`graphdoctor explain` on the training steps of the two workloads: the marks, and the width of the page."""

import json
import pathlib
from typing import Any

import pytest
from tests.autograph.snapshots import check_snapshot
from tests.running import TensorFlowServer

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]

ROOT = pathlib.Path(__file__).parents[2]
DRIVER = """
import json, os, sys

os.chdir({root!r})
sys.path.insert(0, {root!r})
import tensorflow as tf
from graphdoctor.autograph.explaining import explain_trace, followed
from graphdoctor.autograph.traces.tracing import trace
from workloads.handwriting.before.attention import Window
from workloads.handwriting.config import ModelConfig, TrainConfig
from workloads.handwriting.trainer import Trainer
from workloads.speech import config as speech
from workloads.speech.steps import Steps, _smallest_batch

small = ModelConfig(hidden=8, layers=1, mixtures=2, components=2)
trainer = Trainer(small, TrainConfig())
settings = speech.Config(model=speech.ModelConfig(channels=8, text_layers=1, mel_layers=1, kernel=3))
steps = Steps(settings, tf.distribute.get_strategy(), None)
window = Window()
wanted = {{
    "handwriting": lambda: trace(trainer._train_step, (), {{}}),
    "handwriting-before": lambda: trace(
        window.train_step, (tf.TensorSpec([4, 7, 8]), tf.TensorSpec([4, 6, 5])), {{}}
    ),
    "speech": lambda: trace(steps._losses_and_gradients, (_smallest_batch(settings),), {{}}),
}}
for name, make in wanted.items():
    traced = make()
    page = explain_trace(traced)
    marks = [[line.mark.value if line.mark else "", line.text] for line in page.lines]
    texts = [str(page), *(str(other) for other in followed(traced))]
    widest = max(len(line) for text in texts for line in text.splitlines())
    outcome = [page.outcome.value, page.failure.type if page.failure else None]
    print("@" + json.dumps({{"name": name, "marks": marks, "widest": widest, "outcome": outcome}}))
"""
NAMES = ("handwriting", "handwriting-before", "speech")


@pytest.fixture(scope="module")
def pages(tensorflow: TensorFlowServer) -> dict[str, Any]:
    """The facts of each step."""
    ran = tensorflow.run(DRIVER.format(root=str(ROOT)), name="driver.py")
    assert ran.error is None, ran.output
    facts = [json.loads(line[1:]) for line in ran.output.splitlines() if line.startswith("@")]
    return {fact["name"]: fact for fact in facts}


@pytest.mark.parametrize("name", NAMES)
def test_marks_of_the_step_are_as_kept(pages: dict[str, Any], name: str) -> None:
    text = "".join(f"{mark:<12}{source}".rstrip() + "\n" for mark, source in pages[name]["marks"])
    check_snapshot(f"step-{name}.txt", text)


@pytest.mark.parametrize("name", NAMES)
def test_pages_fit_a_terminal_of_100_columns(pages: dict[str, Any], name: str) -> None:
    assert pages[name]["widest"] <= 100


def test_steps_are_converted_and_the_broken_one_leaks(pages: dict[str, Any]) -> None:
    assert {name: page["outcome"] for name, page in pages.items()} == {
        "handwriting": ["converted", None],
        "handwriting-before": ["converted", "InaccessibleTensorError"],
        "speech": ["converted", None],
    }
