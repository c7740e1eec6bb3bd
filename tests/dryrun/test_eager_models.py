"""Models that run eagerly, in whatever way that is set: nothing of them is traced."""

import pytest
from tests.checking import check

from graphdoctor.model import Level

MODEL = """
import os
import tensorflow as tf
class Net(tf.keras.Model):
    def call(self, x):
        print(x.numpy().mean())
        return x
    def prepare(self):
        self.compile("sgd", "mse")
        self.run_eagerly = True
model = Net()
{}
model.fit(tf.ones([4, 1]), tf.ones([4, 1]))
"""


def levels(setting: str) -> list[Level]:
    return [finding.confidence.level for finding in check(MODEL.format(setting), "GD801")]


@pytest.mark.parametrize(
    "setting",
    [
        "model.compile('sgd', 'mse', run_eagerly=True)",
        "model.compile('sgd', 'mse')\nmodel.run_eagerly = True",
        "model.prepare()",
    ],
)
def test_what_runs_eagerly_is_not_traced(setting: str) -> None:
    assert levels(setting) == []


@pytest.mark.parametrize(
    "setting",
    [
        "model.compile('sgd', 'mse', run_eagerly=bool(os.environ.get('EAGER', True)))",
        "model.compile('sgd', 'mse')\nmodel.run_eagerly = os.environ['EAGER'] == '1'",
    ],
)
def test_what_may_run_eagerly_is_a_note(setting: str) -> None:
    assert levels(setting) == [Level.LOW]


@pytest.mark.parametrize(
    "setting",
    [
        "model.compile('sgd', 'mse')",
        "model.compile('sgd', 'mse', run_eagerly=False)",
        "model.run_eagerly = True\nmodel.compile('sgd', 'mse')",
        "model.compile('sgd', 'mse', run_eagerly=True)\nmodel.run_eagerly = False",
        "from elsewhere import options\nmodel.compile(**options)",
    ],
)
def test_what_is_traced_is_an_error(setting: str) -> None:
    assert levels(setting) == [Level.HIGH]
