"""GD750 to GD759: must not fire, must fire; each is known by what Keras 3 raises."""

import pytest
from tests.running import TensorFlowServer

from graphdoctor.rules import Rule, all_rules

pytestmark = pytest.mark.tensorflow

FAMILY = [rule for rule in all_rules() if type(rule).__module__.startswith("graphdoctor.rules.migration.")]
IDS = {rule.id for rule in FAMILY}
HEAD = "import keras\nimport numpy as np\nimport tensorflow as tf\n\n"


@pytest.mark.parametrize("rule", FAMILY, ids=lambda rule: rule.id)
def test_fixed_example_is_silent(rule: Rule, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(rule.examples[0].good)
    assert [finding.rule for finding in ran.report.findings if finding.rule in IDS] == []


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("keras.layers.Dense(0)\n", id="a size that is none"),
        pytest.param("keras.layers.Dense(-1)\n", id="a negative size"),
        pytest.param("keras.layers.Dense(2.5)\n", id="a fraction as a size"),
        pytest.param("keras.layers.Dense(3)(tf.ones([3]))\n", id="a rank that does not fit"),
        pytest.param(
            "with tf.GradientTape() as tape:\n    tape.watch([1.0])\n", id="a number that is watched"
        ),
        pytest.param("tf.GradientTape().watch(3)\n", id="a tape that is not open"),
        pytest.param("np.mean(None)\n", id="NumPy's own error"),
        pytest.param("keras.models.load_model('missing.keras')\n", id="a file that is not there"),
        pytest.param("keras.optimizers.get('unknown')\n", id="an optimizer that is unknown"),
        pytest.param("raise ValueError('units=4')\n", id="the program's own exception"),
    ],
)
def test_silent_on_other_failures(text: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(HEAD + text)
    assert ran.error is not None
    assert [finding.rule for finding in ran.report.findings if finding.rule in IDS] == []


@pytest.mark.parametrize("rule", FAMILY, ids=lambda rule: rule.id)
def test_run_explains_what_is_raised(rule: Rule, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(rule.examples[0].bad)
    assert ran.error == rule.examples[0].raises
    assert [f.rule for f in ran.report.findings if f.rule in IDS or f.rule == "GD900"] == [rule.id]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("keras.layers.Embedding(np.int64(4), 2)(tf.constant([1]))\n", "GD752"),
        ("keras.layers.Dropout(0.5)(tf.ones([1]), True)\n", "GD751"),
        ("keras.Sequential([keras.Input([3])]).save('net')\n", "GD756"),
        ("keras.Sequential([keras.layers.Dense(2)]).load_weights('a.weights.h5')\n", "GD753"),
    ],
)
def test_other_texts_of_the_same(text: str, rule: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(HEAD + text)
    assert [finding.rule for finding in ran.report.findings if finding.rule in IDS] == [rule], ran.output
