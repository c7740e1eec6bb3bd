"""GD709: must not fire, must fire; each program says itself whether its weights are used."""

import pathlib
from inspect import cleandoc

import pytest
from tests.checking import changed_lines, check, fixed
from tests.fixing_programs import open_laboratory, search_fix
from tests.running import TensorFlowServer

from graphdoctor.config import Config
from graphdoctor.judging import check_text
from graphdoctor.judging.same_cause import grouped
from graphdoctor.model import Evidence
from graphdoctor.model.fix_result import Verdict

RULE = "GD709"
HEAD = """import keras
import tensorflow as tf

x, y = tf.ones([2, 3]), tf.zeros([2, 4])

"""
NET = """
class Net(keras.{kind}):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    {maker}
    def call(self, x):
        return self.dense(x)
"""
ASK = """

def use():
    return {use}


before = use()
for variable in net.trainable_variables:
    variable.assign(variable * 0 + 7)
print("live" if keras.ops.max(keras.ops.abs(before - use())) > 1e-3 else "frozen")
"""
BUILD = """def build(self, input_shape):
        self.dense.build(input_shape)

    @tf.function"""


def program(classes: str, making: str = "net = Net()", use: str = "net(x)") -> str:
    return HEAD + cleandoc(classes) + "\n\n\n" + cleandoc(making) + ASK.format(use=use)


def net(maker: str = "@tf.function", kind: str = "Model") -> str:
    return NET.format(maker=maker, kind=kind)


def outer(inner: str, more: str = "") -> str:
    return f"""{cleandoc(inner).replace("class Net", "class Inner")}


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
{more}
    def call(self, x):
        return self.inner(x)
"""


HELPER = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    @tf.function
    def apply(self, x):
        return self.dense(x)

    def call(self, x):
        return self.apply(x)
"""
IN_INIT = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)
        self.apply = tf.function(self.plain)

    def plain(self, x):
        return self.dense(x)

    def call(self, x):
        return self.apply(x)
"""
OWN_WEIGHT = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.w = self.add_weight(shape=(3, 4))

    @tf.function
    def call(self, x):
        return x @ self.w
"""
BUILT_WEIGHT = """
class Net(keras.layers.Layer):
    def build(self, shape):
        self.w = self.add_weight(shape=(3, 4))

    @tf.function
    def call(self, x):
        return tf.matmul(x, self.w)
"""
MODULE = """
class Table(tf.Module):
    def __init__(self):
        super().__init__()
        self.w = tf.Variable(tf.ones([3, 4]))


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.table = Table()

    @tf.function
    def call(self, x):
        return tf.matmul(x, self.table.w)
"""
FIT = 'net = Net()\nnet.compile("sgd", "mse")'
# A layer outside the graph function has gradients, so that `fit` warns and goes on.
PARTLY = HELPER.replace("Dense(4)\n", "Dense(4)\n        self.last = keras.layers.Dense(4)\n").replace(
    "return self.apply(x)", "return self.last(self.apply(x))"
)
WITH_TRAINING = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)

    @tf.function
    def call(self, x, training=False):
        return self.dense(x)
"""
SAVED = """
@keras.saving.register_keras_serializable()
class Net(keras.Model):
    def __init__(self, **options):
        super().__init__(**options)
        self.dense = keras.layers.Dense(4)

    @tf.function
    def call(self, x):
        return self.dense(x)
"""
LOADED = """
import tempfile

saved = Net()
saved(x)
path = tempfile.mkdtemp() + "/net.keras"
saved.save(path)
net = keras.saving.load_model(path)
"""
ANY_BATCH = "@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])"
BATCH_NORMALIZATION = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.normalize = keras.layers.BatchNormalization()

    @tf.function
    def call(self, x):
        return self.normalize(x, training=True)


net = Net()
for _ in range(3):
    net(x)
print("live" if keras.ops.max(keras.ops.abs(net.normalize.moving_mean)) > 1e-3 else "frozen")
"""
DROPOUT = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(4)
        self.dropout = keras.layers.Dropout(0.5)

    @tf.function
    def call(self, x):
        return self.dense(self.dropout(x, training=True))


net = Net()
wide = tf.ones([64, 3])
first, second, third = net(wide), net(wide), net(wide)
changes = keras.ops.max(keras.ops.abs(first - second)) + keras.ops.max(keras.ops.abs(second - third))
print("live" if changes > 1e-3 else "frozen")
"""
LIVE = {
    "no graph function in call": program(net(maker="")),
    "graph function around the model": program(
        net(maker=""), "net = Net()\nstep = tf.function(lambda x: net(x))", "step(x)"
    ),
    "build": program(net(BUILD)),
    "build at each level": program(
        outer(
            net(BUILD, "layers.Layer"),
            "\n    def build(self, input_shape):\n        self.inner.build(input_shape)\n",
        )
    ),
    "sublayer built before": program(
        net().replace("Dense(4)\n", "Dense(4)\n        self.dense.build((None, 3))\n")
    ),
    "sublayer called before": program(net().replace("Dense(4)\n", "Dense(4)\n        self.dense(x)\n")),
    "add_weight in __init__": program(OWN_WEIGHT),
    "variables of a tf.Module": program(MODULE).replace("net.trainable_variables", "[net.table.w]"),
    "first call under run_functions_eagerly": program(
        net(),
        "net = Net()\ntf.config.run_functions_eagerly(True)\nnet(x)\ntf.config.run_functions_eagerly(False)",
    ),
    "default build": program(net(), "net = Net()\nnet.build((2, 3))"),
    "build in a layer with a decorated helper": program(
        HELPER.replace("keras.Model", "keras.layers.Layer").replace("    @tf.function", "    " + BUILD)
    ),
    "layer with build in a functional model": program(
        net(BUILD, "layers.Layer"), "inputs = keras.Input([3])\nnet = keras.Model(inputs, Net()(inputs))"
    ),
    "layer with weights of its own in a functional model": program(
        BUILT_WEIGHT, "inputs = keras.Input([3])\nnet = keras.Model(inputs, Net()(inputs))"
    ),
}
FROZEN = {
    "decorated call": program(net()),
    "decorated call of a layer": program(net(kind="layers.Layer")),
    "compiled by XLA": program(net("@tf.function(jit_compile=True)")),
    "decorated helper": program(HELPER),
    "decorated helper of a layer": program(HELPER.replace("keras.Model", "keras.layers.Layer")),
    "made in __init__": program(IN_INIT),
    "made in __init__ of a layer": program(IN_INIT.replace("keras.Model", "keras.layers.Layer")),
    "in an outer function": program(net(), "net = Net()\nstep = tf.function(lambda x: net(x))", "step(x)"),
    "predict": program(net(), use="net.predict(x, verbose=0)"),
    "fit that warns and goes on": program(PARTLY, FIT + "\nnet.fit(x, y, verbose=0)").replace(
        "net.trainable_variables", "net.dense.trainable_variables"
    ),
    "fit compiled by XLA": program(
        PARTLY, FIT.replace('"mse"', '"mse", jit_compile=True') + "\nnet.fit(x, y, verbose=0)"
    ).replace("net.trainable_variables", "net.dense.trainable_variables"),
    "loaded model": program(SAVED, LOADED),
    "batch statistics": HEAD + cleandoc(BATCH_NORMALIZATION) + "\n",
    "dropout mask": HEAD + cleandoc(DROPOUT) + "\n",
    "first shape after another": program(net(), "net = Net()\nnet(x)\nnet(tf.ones([5, 3]))"),
    "first flag after another": program(
        WITH_TRAINING, "net = Net()\nnet(x)\nnet(x, training=True)", "net(x, training=False)"
    ),
    "another shape of an open signature": program(
        net(ANY_BATCH), "net = Net()\nnet(x)", "net(tf.ones([5, 3]))"
    ),
    "evaluate": program(net(), FIT, "net.evaluate(x, y, verbose=0)"),
    "layer with build in a model without": program(outer(net(BUILD, "layers.Layer"))),
    "layer with weights of its own in a model without": program(outer(BUILT_WEIGHT)),
    "layer without build in a functional model": program(
        net(kind="layers.Layer"), "inputs = keras.Input([3])\nnet = keras.Model(inputs, Net()(inputs))"
    ),
    "layer without build in a Sequential with Input": program(
        net(kind="layers.Layer"), "net = keras.Sequential([keras.Input([3]), Net()])"
    ),
    "signature with None": program(
        net("@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])")
    ),
}


@pytest.mark.parametrize("name", LIVE)
def test_silent_where_weights_are_used(name: str) -> None:
    assert check(LIVE[name], RULE) == []


def test_silent_under_keras_2() -> None:
    assert check(program(net()).replace("import keras", "import tf_keras as keras"), RULE) == []


@pytest.mark.parametrize("name", FROZEN)
def test_source_shows_frozen_weights(name: str) -> None:
    assert [finding.rule for finding in check(FROZEN[name], RULE)] == [RULE]


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        *(pytest.param(text, "live", id=name) for name, text in LIVE.items()),
        *(pytest.param(text, "frozen", id=name) for name, text in FROZEN.items()),
    ],
)
def test_run_shows_what_the_program_says(text: str, said: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(text)
    assert ran.printed.splitlines()[-1:] == [said], ran.output
    seen = {f.rule for f in ran.report.findings if f.rule == RULE and f.evidence is not Evidence.SOURCE}
    assert seen == ({RULE} if said == "frozen" else set())


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("first", "use"),
    [
        pytest.param("net(x)", "net(tf.ones([5, 3]))", id="another shape"),
        pytest.param("net(x)", "net(x, training=True)", id="another flag"),
    ],
)
def test_another_signature_uses_the_weights(first: str, use: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(program(WITH_TRAINING, f"net = Net()\n{first}", use))
    assert ran.printed.splitlines()[-1] == "live"
    found = [f for f in ran.report.findings if f.rule == RULE and f.evidence is not Evidence.SOURCE]
    assert len(found) == 1  # for the first signature, whose graph holds initial values


def test_source_shows_fit_that_has_no_gradients() -> None:
    text = program(net(), FIT + "\nnet.fit(x, y, verbose=0)")
    assert [finding.rule for finding in check(text, RULE)] == [RULE]


@pytest.mark.tensorflow
def test_fit_that_has_no_gradients(tensorflow: TensorFlowServer) -> None:
    text = HEAD + cleandoc(net()) + "\n\n\n" + FIT + "\nnet.fit(x, y, verbose=0)\n"
    ran = tensorflow.run_once(text)
    assert ran.error == "ValueError"
    assert RULE in {f.rule for f in ran.report.findings}


@pytest.mark.tensorflow
def test_some_weights_only(tensorflow: TensorFlowServer) -> None:
    text = program(
        net()
        .replace(
            "Dense(4)\n",
            "Dense(4)\n        self.first = keras.layers.Dense(3)\n        self.first.build((None, 3))\n",
        )
        .replace("self.dense(x)", "self.dense(self.first(x))")
    ).replace("net.trainable_variables", "net.dense.trainable_variables")
    ran = tensorflow.run_once(text)
    assert ran.printed.splitlines()[-1] == "frozen"
    (found,) = (f for f in ran.report.findings if f.rule == RULE)
    assert found.message == (
        "`call` is traced while Keras builds the layer, so its graph holds only the initial values of "
        "`net/dense/bias`, `net/dense/kernel`"
    )


@pytest.mark.parametrize("name", ["decorated call", "decorated helper"])
def test_fix_builds_what_it_holds(name: str) -> None:
    assert changed_lines(FROZEN[name], RULE) == [
        "def build(self, input_shape):",
        "self.dense.build(input_shape)",
    ]


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", FROZEN)
def test_fixed_weights_are_used(name: str, tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run_once(fixed(FROZEN[name], RULE))
    assert ran.printed.splitlines()[-1:] == ["live"], ran.output


@pytest.mark.tensorflow
@pytest.mark.long
@pytest.mark.parametrize("name", FROZEN)
def test_fix_proves_its_repair(name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer) -> None:
    (tmp_path / "program.py").write_text(FROZEN[name], encoding="utf-8")
    with open_laboratory(tmp_path, "program.py", oracle) as laboratory:
        found = search_fix(laboratory).result()
    assert found.verdict is Verdict.FIXED, found.tried
    assert {one.rule for one in found.kept} == {RULE}


def test_function_made_in_init_is_followed_to_its_method() -> None:
    assert changed_lines(FROZEN["made in __init__"], RULE) == [
        "def build(self, input_shape):",
        "self.dense.build(input_shape)",
    ]


def test_no_edit_where_a_graph_function_is_made_of_a_lambda() -> None:
    text = FROZEN["made in __init__"].replace(
        "tf.function(self.plain)", "tf.function(lambda x: self.dense(x))"
    )
    (found,) = check(text, RULE)
    assert found.fix is not None
    assert (found.fix.title, found.fix.edits) == ("Remove `tf.function` inside `call`", ())


def test_chain_of_layers_gets_its_shapes() -> None:
    text = program(
        net()
        .replace("Dense(4)\n", "Dense(4)\n        self.first = keras.layers.Dense(5)\n")
        .replace("return self.dense(x)", "x = self.first(x)\n        return self.dense(x)")
    )
    assert changed_lines(text, RULE) == [
        "def build(self, input_shape):",
        "self.first.build(input_shape)",
        "shape = self.first.compute_output_shape(input_shape)",
        "self.dense.build(shape)",
    ]


def test_findings_of_one_function_share_the_edit_that_fixes_all() -> None:
    text = program(
        net()
        .replace("Dense(4)\n", "Dense(4)\n        self.first = keras.layers.Dense(5)\n")
        .replace("self.dense(x)", "self.dense(self.first(x))")
    )
    report = grouped(check_text("program.py", text, Config(keras=3, select=(RULE,))))
    (found,) = report.findings
    assert found.fix is not None
    assert len(found.fix.edits) == 1


def test_decorator_goes_where_shapes_are_not_known() -> None:
    text = program(net().replace("self.dense(x)", "self.dense(tf.concat([x, x], 1))"))
    assert fixed(text, RULE) == text.replace("    @tf.function\n", "")


@pytest.mark.parametrize(
    "body", ["if tf.reduce_sum(x) > 0:\n            x = x + 1\n        return self.dense(x)"]
)
def test_no_rule_puts_a_graph_function_into_such_a_call(body: str) -> None:
    text = program(net("").replace("return self.dense(x)", body), use="net.predict(x, verbose=0)")
    for found in check(text, "GD701"):
        assert "tf.function" not in (found.fix.title if found.fix else "")
        assert all("tf.function" not in fix.title for fix in found.alternatives)
