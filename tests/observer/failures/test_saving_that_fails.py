"""What ends the saving of a model is heard of, unless TensorFlow itself goes another way."""

from inspect import cleandoc

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = """import tempfile
import tensorflow as tf
scale = tf.Variable(2.0)
class Model(tf.Module):
    @tf.function(input_signature=[tf.TensorSpec([1])])
    def scaled(self, x):
        return x * scale
model = Model()
def save(**options):
    tf.saved_model.save(model, tempfile.mkdtemp(), **options)
def converter():
    return tf.lite.TFLiteConverter.from_concrete_functions([model.scaled.get_concrete_function()], model)
"""

# name: program, then each finding's rule, severity and line
PROGRAMS = {
    "a converter that goes another way": ("converter().convert()", []),
    "saved after another exception": (
        """
        try:
            1 / 0
        except ZeroDivisionError:
            model.scale = scale
            save()
        """,
        [],
    ),
    "caught": (
        """
        model.scale = scale
        try:
            save(signatures=[])
        except ValueError:
            pass
        """,
        [("GD900", "ERROR", 10)],
    ),
    "saved": ("model.scale = scale\nsave(signatures=[])", [("GD900", "ERROR", 10)]),
    "converted": (
        """
        tried = converter()
        tried.optimizations, tried.representative_dataset = [tf.lite.Optimize.DEFAULT], 3
        tried.convert()
        """,
        [("GD900", "ERROR", 15)],
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_ends_saving_is_reported(name: str, tensorflow: TensorFlowServer) -> None:
    program, expected = PROGRAMS[name]
    ran = tensorflow.run(HEAD + cleandoc(program) + "\n")
    found = [(f.rule, f.severity.value, f.line) for f in ran.report.findings]
    assert found == expected
