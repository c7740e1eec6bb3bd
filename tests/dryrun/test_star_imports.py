"""`from library import *` binds the names of the library, as Python would."""

import pytest
from tests.checking import check

from graphdoctor.dryrun.libraries.canonical_names import public_names

STEP = "@function\ndef step(x, i): return x * i\nfor i in range(9): step(ones([2]), i)"
LIBRARIES = ("tensorflow", "keras", "keras.layers", "keras.models", "keras.ops", "numpy", "tensorflow.math")
OLD_NAMES = {
    "NaN",
    "RandomHeight",
    "RandomWidth",
    "ThresholdedReLU",
}  # of other versions, or of `tf.keras` alone


def rules(program: str) -> list[str]:
    return [finding.rule for finding in check(program, "GD")]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "from tensorflow import *\n@function\ndef f(x):\n  print(x)\n  return x\n"
            "f(ones([2]))\nf(ones([2]))",
            id="print is TensorFlow's",
        ),
        pytest.param(
            "from tensorflow import *\ndef function(f): return f\n"
            + STEP.replace("range", "[1, 2].__iter__"),
            id="a function of the program's own behind it",
        ),
        pytest.param("def function(f): return f\n" + STEP, id="no library"),
        pytest.param("from somewhere import *\n" + STEP, id="a library that is unknown"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert rules(program) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param(
            "from tensorflow import *\nimport builtins\n" + STEP.replace("range", "builtins.range"),
            "GD101",
            id="tf.function",
        ),
        pytest.param(
            "from tensorflow.keras.layers import *\nfrom tensorflow.keras.models import *\n"
            "import tensorflow as tf\nclass Net(Model):\n  def __init__(self):\n    super().__init__()\n"
            "    self.dense = Dense(3)\n  def call(self, x):\n    print('x', tf.norm(x))\n"
            "    return self.dense(x)\nmodel = Net()\nmodel.compile('adam', 'mse')\n"
            "model.fit(tf.ones([4, 2]), tf.ones([4, 3]))",
            "GD201",
            id="models and layers",
        ),
        pytest.param(
            "import tensorflow as tf\nfrom numpy import *\n@tf.function\n"
            "def f(x): return x + random.rand(2)\nf(tf.ones([2]))\nf(tf.ones([2]))",
            "GD208",
            id="NumPy",
        ),
    ],
)
def test_must_fire(program: str, expected: str) -> None:
    assert rules(program) == [expected]


@pytest.mark.tensorflow
@pytest.mark.parametrize("library", LIBRARIES)
def test_names_are_those_of_the_library(library: str) -> None:
    bound: dict[str, object] = {}
    exec(f"from {library} import *", bound)
    assert public_names(library)
    assert public_names(library) - bound.keys() <= OLD_NAMES
