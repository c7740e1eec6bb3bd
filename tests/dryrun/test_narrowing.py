"""What a condition says of the value that it asks for: `isinstance` distinguishes alternatives."""

import pytest
from tests.checking import check, marked

from graphdoctor.model import Severity

LAYERS = """
import tensorflow as tf
class Graph(tf.keras.layers.Layer):
    def call(self, inputs):
        features, *rest = inputs
        return features
class Net:
    def __init__(self, sizes):
        self.layers = []
        for size in sizes:
            self.layers.append(tf.keras.layers.Dropout(0.5))
            self.layers.append(Graph())
    def __call__(self, x, a):
        for layer in self.layers:
            {}
        return x
def build(sizes):
    net = Net(sizes)
    return net(tf.keras.Input([4, 4]), tf.keras.Input([4, 4]))
"""
APART = "x = layer([x, a]) if isinstance(layer, Graph) else layer(x)"
OTHERWISE = "x = layer(x) if not isinstance(layer, Graph) else layer([x, a])"
NOT_APART = "x = layer(x)"


def test_alternatives_are_distinguished() -> None:
    assert marked(LAYERS.format(APART), "GD332") == []
    assert marked(LAYERS.format(OTHERWISE), "GD332") == []
    assert marked(LAYERS.format(NOT_APART), "GD332") == ["inputs"]


CHAINED = """
import tensorflow as tf
class Op:
    @tf.function
    def run(self, x): return x * 2
    def __call__(self, ops):
        if issubclass({}, Op): return self
        return self.run(ops)
class Reverse(Op): pass
x = Op()
for _ in range(40): x = Reverse()(x)
"""


def test_whether_a_class_derives_from_another_is_known() -> None:
    assert marked(CHAINED.format("type(ops)"), "GD102") == []
    assert marked(CHAINED.format("str"), "GD102") != []


def test_the_type_of_a_tensor_derives_from_no_class_of_the_project() -> None:
    program = (
        "import tensorflow as tf\nclass Op: pass\n@tf.function\ndef f(x):\n"
        "  if issubclass(type(x), Op): return x\n  return x.numpy()\nf(tf.ones([2]))\n"
    )
    assert [finding.severity for finding in check(program, "GD801")] == [Severity.ERROR]
    assert check(program.replace("(x), Op", "(x), tf.Tensor"), "GD801") == []


TWICE = """
import tensorflow as tf
from elsewhere import option
class Pair(tf.keras.layers.Layer):
    @tf.function
    def call(self, inputs):
        a, b = inputs
        return a + b
class One(tf.keras.layers.Layer):
    @tf.function
    def call(self, inputs): return inputs * 2.0
class Net:
    def __init__(self, pairs):
        {kept}
        if {asked}: self.part = Pair()
        else: self.part = One()
        {later}
    def run(self, x):
        if {again}: return self.part({first})
        return {otherwise}
print(Net(option).run(tf.ones([2])))
"""


@pytest.mark.parametrize(
    ("kept", "asked", "later", "again"),
    [
        ("self.pairs = pairs", "self.pairs", "", "self.pairs"),
        ("", "pairs", "self.pairs = pairs", "self.pairs"),
        ("self.pairs = pairs", "pairs", "", "self.pairs"),
        ("self.pairs = pairs", "not self.pairs is None", "", "self.pairs is not None"),
        ("self.all = pairs", 'self.all.kind == "x"', "", 'not self.all.kind != "x"'),
    ],
)
def test_what_one_condition_chose_another_that_asks_the_same_knows(
    kept: str, asked: str, later: str, again: str
) -> None:
    known = {"kept": kept, "asked": asked, "later": later, "again": again}
    right = TWICE.format(**known, first="(x, x)", otherwise="x")
    assert marked(right, "GD332") == []
    wrong = TWICE.format(**known, first="x", otherwise="x")
    assert marked(wrong, "GD332") == ["inputs"]


def test_a_condition_that_was_changed_since_reports_nothing() -> None:
    known = {"kept": "self.pairs = pairs", "asked": "self.pairs", "later": "self.pairs = option()"}
    program = TWICE.format(**known, again="not self.pairs", first="x", otherwise="x")
    assert marked(program, "GD332") == ["inputs"]


def test_what_was_chosen_is_not_replaced_where_the_condition_is_left() -> None:
    program = """
    import tensorflow as tf
    from elsewhere import several
    class Model:
        def __init__(self, several): self.several = several
        def predict(self, batches):
            if not self.several: metric = tf.keras.metrics.BinaryAccuracy()
            else: metric = tf.keras.metrics.Accuracy()
            @tf.function
            def step(x, y):
                if self.several: metric.update_state(y, tf.argmax(x, 1))
                else: metric.update_state(y, x)
            for x, y in batches: step(x, y)
    Model(several).predict([(tf.ones([2, 2]), tf.ones([2]))] * 3)
    """
    assert check(program, "GD214") == []
