"""What only Keras 3 refuses, in projects that do not say which Keras they are for."""

from inspect import cleandoc
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.source.tensorflow_version import newest_of_folder

MODEL = """
    import keras
    import tensorflow as tf
    def build(size):
        x = keras.Input([size])
        y = keras.layers.Dense(4)(x)
        return keras.Model(x, tf.concat([y, y], axis=-1))
    model = build(3)
"""


def severities(
    folder: Path, monkeypatch: pytest.MonkeyPatch, project: bool = True, rule: str = "GD406", **files: str
) -> set[str]:
    """How severe what a rule finds is, with Keras 3 installed."""
    monkeypatch.setattr("graphdoctor.source.keras_generation.installed_generation", lambda folder: 3)
    if project:
        (folder / ".git").mkdir()
    for name, text in files.items():
        (folder / name.replace("_txt", ".txt").replace("_py", ".py")).write_text(cleandoc(text) + "\n")
    monkeypatch.chdir(folder)
    return {
        f.severity.value if f.is_shown else f.confidence.level.value
        for f in check_paths(["."], Config(select=(rule,))).findings
    }


GATE = """
    import tensorflow as tf
    class Gate(tf.keras.layers.Layer):
        def call(self, inputs):
            if tf.reduce_sum(inputs) > 1.0:
                return inputs / 2.0
            return inputs
    model = tf.keras.Sequential([Gate()])
    model.compile("sgd", "mse")
    model.fit(tf.ones([2, 1]), tf.ones([2, 1]))
"""


def test_a_program_without_a_project_is_for_what_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, project=False, one_py=MODEL, two_py="print(1)") == {"ERROR"}


def test_what_keras_3_alone_refuses_is_a_note_in_a_project_that_does_not_say_its_keras(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, one_py=MODEL, two_py="print(1)") == {"LOW"}


@pytest.mark.parametrize(
    ("rule", "more", "expected"),
    [
        ("GD701", {}, {"LOW"}),
        ("GD701", {"requirements_txt": "tensorflow==2.18"}, {"ERROR"}),
        ("GD701", {"two_py": "from keras import ops"}, {"ERROR"}),
        ("GD701", {"two_py": "opt = tf.keras.optimizers.legacy.Adam()"}, set()),
        ("GD701", {"two_py": "from keras.layers.core import Dense"}, set()),
        ("GD701", {"two_py": "from keras.layers.experimental import preprocessing"}, set()),
        ("GD701", {"two_py": "from tensorflow.python.keras import backend"}, set()),
    ],
)
def test_what_a_layer_does_under_keras_3_alone(
    rule: str, more: dict[str, str], expected: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, rule=rule, one_py=GATE, **more) == expected


def test_what_both_refuse_is_an_error_whatever_the_project_is_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = GATE.replace("if tf.reduce_sum(inputs) > 1.0", "if tf.abs(inputs).numpy() > 1.0")
    assert severities(tmp_path, monkeypatch, rule="GD801", one_py=both) == {"ERROR"}


def test_the_memory_of_a_check_notices_that_the_project_says_its_keras(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, rule="GD701", one_py=GATE) == {"LOW"}
    config = Config(select=("GD701",))
    reported = [check_paths(["."], config, cache=True).findings[0].confidence.level.value]
    (tmp_path / "requirements.txt").write_text("tensorflow==2.18\n")
    reported.append(check_paths(["."], config, cache=True).findings[0].confidence.level.value)
    assert reported == ["LOW", "HIGH"]


def test_a_reason_says_that_it_is_about_keras_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    severities(tmp_path, monkeypatch, one_py=MODEL)
    (finding,) = check_paths(["."], Config(select=("GD406",))).findings
    assert finding.confidence.reasons[0] == "only with Keras 3, and the project names no version"


def test_a_project_that_requires_keras_3(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"one_py": MODEL, "two_py": MODEL, "requirements_txt": "tensorflow==2.18"}
    assert severities(tmp_path, monkeypatch, **files) == {"ERROR"}


def test_a_project_whose_files_it_refuses_one_after_the_other_is_older(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, one_py=MODEL, two_py=MODEL) == {"LOW"}


STACKED = """
    import numpy as np
    import tensorflow as tf
    @tf.function
    def losses(x):
        return np.mean(np.array([tf.reduce_sum(x), tf.reduce_mean(x)]))
    losses(tf.ones([2]))
"""


@pytest.mark.parametrize(
    ("pinned", "severity"),
    [
        ("numpy==1.19.5", {"LOW"}),
        ("tensorflow==2.5.0\nnumpy<1.20", {"LOW"}),
        ("numpy<=1.18", {"LOW"}),
        ("numpy==1.21.0", {"ERROR"}),
        ("numpy>=1.19", {"ERROR"}),
        ("my-numpy==1.1", {"ERROR"}),
        ("numpy", {"ERROR"}),
    ],
)
def test_numpy_of_then_may_take_a_list_of_tensors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pinned: str, severity: set[str]
) -> None:
    files = {"train_py": STACKED, "requirements_txt": pinned}
    assert severities(tmp_path, monkeypatch, rule="GD802", **files) == severity


FIRST = """
    import numpy as np
    import tensorflow as tf
    @tf.function
    def step(x):
        return x + np.random.rand()
    for _ in range(3):
        step(tf.ones([2]))
"""
PLACEHOLDER = "import tensorflow as tf\nx = tf.compat.v1.placeholder(tf.float32, [2])"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(FIRST, {"WRONG"}, id="TensorFlow 2"),
        pytest.param(FIRST + "    print(tf.log(2.0))", {"WRONG"}, id="one name that is left over"),
        pytest.param(FIRST + "    print(tf.log(2.0), tf.to_float(1))", {"LOW"}, id="TensorFlow 1"),
        pytest.param(
            FIRST.replace("import tensorflow as tf", "import tensorflow.compat.v1 as tf")
            + "    print(tf.log(2.0), tf.to_float(1))",
            {"WRONG"},
            id="TensorFlow 2 under the names of 1",
        ),
        pytest.param(
            FIRST + "    print(tf.math.log(2.0), self.tf.log)", {"WRONG"}, id="names that TensorFlow 2 has"
        ),
    ],
)
def test_files_for_tensorflow_1(
    text: str, expected: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, rule="GD208", train_py=text) == expected


@pytest.mark.parametrize(
    ("beside", "expected"), [("print(1)", {"ERROR"}), ("import tensorflow as tf\ntf.Session()", {"LOW"})]
)
def test_a_placeholder_beside_files_for_tensorflow_1(
    beside: str, expected: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = severities(tmp_path, monkeypatch, rule="GD912", train_py=PLACEHOLDER, wrapper_py=beside)
    assert found == expected


GIVEN = """
    import tensorflow as tf
    def loss(a, b):
        scale = tf.Variable(1.0)
        return tf.reduce_mean(a - b) * scale
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", loss=loss)
    model.fit(tf.ones([2, 1]), tf.ones([2, 1]))
"""


@pytest.mark.parametrize(
    ("required", "severity"),
    [("tensorflow==1.12.0", "LOW"), ("tensorflow<2", "LOW"), ("tensorflow==2.4", "ERROR"), ("", "ERROR")],
)
def test_what_is_pinned_to_tensorflow_1_is_not_traced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, required: str, severity: str
) -> None:
    files = {"train_py": GIVEN, "requirements_txt": required}
    assert severities(tmp_path, monkeypatch, rule="GD401", **files) == {severity}


def test_what_uses_graph_functions_is_for_tensorflow_2_whatever_is_pinned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"train_py": GIVEN + "    @tf.function\n    def f(x): return x\n"}
    files["requirements_txt"] = "tensorflow==1.12.0"
    assert severities(tmp_path, monkeypatch, rule="GD401", **files) == {"ERROR"}


FED = """
    import tensorflow as tf
    from layers import layer
    def main():
        x = tf.compat.v1.placeholder(tf.float32, [None, 8, 8, 3])
        with tf.compat.v1.Session() as session:
            session.run(layer(x))
    main()
"""


@pytest.mark.parametrize(
    ("layer", "severity"),
    [
        ("def layer(x): return tf.nn.conv2d(x, filters=tf.ones([3, 3, 3, 2]), strides=1)", "ERROR"),
        ("# tf.compat.v1.disable_v2_behavior()\ndef layer(x): return x", "ERROR"),
        ("def layer(x): return tf.nn.conv2d(x, filter=tf.ones([3, 3, 3, 2]), strides=1)", "LOW"),
        ("def layer(x): return tf.reduce_sum(tf.abs(x), keep_dims=True)", "LOW"),
        ("from tensorflow.contrib import slim\ndef layer(x): return slim.flatten(x)", "LOW"),
        ("def layer(x): return x\ndef main(): tf.compat.v1.disable_v2_behavior()", "LOW"),
    ],
)
def test_files_beside_it_tell_that_a_placeholder_is_for_tensorflow_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, layer: str, severity: str
) -> None:
    files = {"train_py": FED, "layers_py": f"import tensorflow as tf\n{layer}"}
    assert severities(tmp_path, monkeypatch, rule="GD912", **files) == {severity}


SHARED = """
    import tensorflow as tf
    optimizer = tf.keras.optimizers.Adam()
    models = [tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(2,))]) for _ in range(2)]
    @tf.function
    def step(model, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    step(models[0], tf.ones([4, 2]))
    step(models[1], tf.ones([4, 2]))
"""


@pytest.mark.parametrize(("readme", "severity"), [("Python 3.9", "ERROR"), ("Python 3.7", "LOW")])
def test_an_older_optimizer_takes_the_variables_of_another_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, readme: str, severity: str
) -> None:
    (tmp_path / "README.md").write_text(readme)
    assert severities(tmp_path, monkeypatch, rule="GD403", train_py=SHARED) == {severity}


def test_an_older_tensorflow_comes_with_an_older_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stacked = """
        import numpy as np
        import tensorflow as tf
        @tf.function
        def step(x):
            return np.array([x, x * 2])[0]
        step(tf.ones([3]))
    """
    assert severities(tmp_path, monkeypatch, rule="GD802", train_py=stacked) == {"ERROR"}
    (tmp_path / "requirements.txt").write_text("tensorflow==2.4.1")
    newest_of_folder.cache_clear()
    assert severities(tmp_path, monkeypatch, rule="GD802", project=False, train_py=stacked) == {"LOW"}
