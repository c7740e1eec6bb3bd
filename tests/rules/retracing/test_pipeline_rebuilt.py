"""GD122: must not fire, must fire."""

import pytest
from tests.checking import check, marked

from graphdoctor.model import Severity

RULE = "GD122"
HEAD = """
import tensorflow as tf
def parse(x): return x
def pipeline(files, shift=0):
    return tf.data.TFRecordDataset(files).map(parse).filter(lambda x: True).batch(8)
data = tf.data.Dataset.range(9)
"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("ready = data.map(parse)\nfor e in range(9):\n  for x in ready: pass", id="built once"),
        pytest.param("for name in ('train', 'test'): data.map(parse)", id="few"),
        pytest.param("for path in paths: pipeline(path)", id="one for each file"),
        pytest.param(
            "def run(paths):\n  for path in paths: pipeline(path)", id="one for each file of a caller"
        ),
        pytest.param("for k in range(9): pipeline(folds[k])", id="one for each fold"),
        pytest.param("for e in range(9): data.map(lambda x: x + e)", id="another function each time"),
        pytest.param("for e in range(9): tf.data.Dataset.range(e).map(parse)", id="other data each time"),
        pytest.param("while True: pipeline(queue.get())", id="who knows what comes"),
        pytest.param("for e in range(9): data.shuffle(9).batch(2)", id="nothing is traced"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert marked(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("for e in range(9): data.map(parse)", "data.map(parse)"),
        ("for e in range(9):\n  for x in data.shuffle(9).map(parse): pass", "data.shuffle(9).map(parse)"),
        ("def train(files, epochs):\n  for e in range(epochs):\n    for x in pipeline(files): pass",
         "pipeline(files)"),
    ],
)  # fmt: skip
def test_must_fire(program: str, expected: str) -> None:
    assert marked(HEAD + program, RULE) == [expected]


def test_from_the_source_it_is_a_note() -> None:
    [finding] = check(HEAD + "for e in range(9): data.map(parse)", RULE)
    assert finding.severity is Severity.NOTE
