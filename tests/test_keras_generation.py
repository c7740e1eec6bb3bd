"""Which Keras a project uses: what its text shows, what it requires, what is installed for it."""

import pathlib

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.source.keras_generation import (
    generation_in,
    generation_of,
    installed_generation,
    known_generation,
    required_generation,
)

LAYER = """import keras
import tensorflow as tf


class Gate(keras.layers.Layer):
    def call(self, inputs):
        if tf.reduce_sum(inputs) > 1.0:
            return inputs / 2.0
        return inputs
"""


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        ("tensorflow==2.15.0", 2),
        ("tensorflow==2.16.1", 3),
        ("tensorflow-cpu>=2.17", 3),
        ("tensorflow>=2.7", None),
        ("tensorflow<2.16", 2),
        ('extras = {"tensorflow": ["tensorflow>=2.7,<=2.11"]}', 2),
        ("tensorflow>=2.4,<3", None),
        ("keras>=3.0", 3),
        ("keras==2.12", 2),
        ("numpy>=1.20", None),
        ("tensorflow-addons>=0.12", 2),
    ],
)
def test_what_requirements_pin(text: str, generation: int | None) -> None:
    assert generation_in(text) == generation


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        ("import tf_keras", 2),
        ("import tensorflow_addons as tfa", 2),
        ("cell = tf.keras.layers.AbstractRNNCell", 2),
        ("layer = tf.keras.layers.experimental.preprocessing.Normalization()", 2),
        ("from keras import ops", 3),
        ("y = keras.ops.sum(x)", 3),
        ("y = tf.keras.layers.Dense(1)", None),
    ],
)
def test_what_a_text_shows(text: str, generation: int | None) -> None:
    assert generation_of(text, None) == generation
    assert generation_of(text, 7 - (generation or 3)) == (generation or 4)


def install(folder: pathlib.Path, version: str) -> None:
    packages = folder / ".venv/lib/python3.11/site-packages"
    (packages / f"keras-{version}.dist-info").mkdir(parents=True)


def test_what_is_installed_next_to_the_project(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    install(tmp_path, "2.15.0")
    (tmp_path / "package").mkdir()
    assert installed_generation(str(tmp_path / "package")) == 2
    (tmp_path / "requirements.txt").write_text("tensorflow==2.18\n")
    assert known_generation(str(tmp_path / "package")) == 3


@pytest.mark.parametrize(
    ("texts", "generation"),
    [
        (("from keras import layers\nopt = Adam(lr=0.1)", "import keras"), 2),
        (("import keras\nmodel.fit_generator(data)",), 2),
        (("import keras", "self.w = self.add_weight(\n  'w', shape=[3])  # of keras"), 2),
        (("import keras", "self.w = self.add_weight(shape=[3], name='w')  # of keras"), 1),
        (("import keras", "from tensorflow_addons import image"), 2),
        (("import keras\ny = keras.ops.sum(x)", "import keras"), 3),
        (("import keras\ny = keras.ops.sum(x)", "import keras\nmodel.fit_generator(data)"), 1),
        (("opt = Adam(lr=0.1)",), 1),
        (("import keras", "import tf_keras as keras"), 1),
    ],
)
def test_what_all_code_of_a_project_shows(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, texts: tuple[str, ...], generation: int
) -> None:
    monkeypatch.setattr("graphdoctor.source.keras_generation.installed_generation", lambda folder: 1)
    (tmp_path / ".git").mkdir()
    for number, text in enumerate(texts):
        (tmp_path / f"code{number}.py").write_text(text)
    (tmp_path / "inner").mkdir()
    assert known_generation(str(tmp_path / "inner")) == generation


@pytest.mark.parametrize(
    ("text", "generation"),
    [
        ("Tested with TensorFlow 2.3.0", 2),
        ("tensorflow-gpu == 2.10", 2),
        ("# recommend-tf2.0", 2),
        ("\u5229\u7528tensorflow-2.3-gpu\u7248\u672c", 2),
        ("TensorFlow 2.16, TensorFlow 2.10", 1),
        ("perftf2.3, TF 2.x", 1),
        ("", 1),
    ],
)
def test_what_a_readme_names(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, text: str, generation: int
) -> None:
    monkeypatch.setattr("graphdoctor.source.keras_generation.installed_generation", lambda folder: 1)
    (tmp_path / ".git").mkdir()
    (tmp_path / "README.md").write_text(text)
    assert known_generation(str(tmp_path)) == generation


def test_what_the_name_of_a_project_tells(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("graphdoctor.source.keras_generation.installed_generation", lambda folder: 1)
    for name, generation in (("gait_tf2.0", 2), ("gait", 1)):
        (tmp_path / name / ".git").mkdir(parents=True)
        assert known_generation(str(tmp_path / name)) == generation


def test_a_requirement_of_both_generations_decides_nothing() -> None:
    assert generation_in("tensorflow>=2.16\ntf-keras>=2.16") is None
    assert generation_in("tensorflow==2.15\ntf-keras") == 2


def test_what_became_keras_3_beside_a_pinned_tensorflow_decides_nothing(tmp_path: pathlib.Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "requirements.txt").write_text("tensorflow==2.13")
    assert required_generation(str(tmp_path)) == 2
    (tmp_path / "requirements-common.txt").write_text("keras-core")
    assert required_generation(str(tmp_path)) is None


@pytest.mark.parametrize(
    "name", ["requirements-dev.txt", "dev_requirements.txt", "requirements/base.txt", "setup.cfg"]
)
def test_where_requirements_stand(tmp_path: pathlib.Path, name: str) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "notes.md").write_text("tensorflow==2.18\n")
    (tmp_path / name).write_text("tensorflow==2.12\n")
    assert required_generation(str(tmp_path)) == 2


@pytest.mark.parametrize(("version", "rules"), [("3.4.1", ["GD701"]), ("2.15.0", [])])
def test_a_condition_in_a_layer_raises_under_the_installed_keras_3(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch, version: str, rules: list[str]
) -> None:
    monkeypatch.delenv("TF_USE_LEGACY_KERAS", raising=False)
    install(tmp_path, version)
    (tmp_path / "gate.py").write_text(LAYER)
    report = check_paths([str(tmp_path / "gate.py")], Config())
    assert [finding.rule for finding in report.findings] == rules


def test_a_readme_above_a_package_that_came_without_its_history(
    tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("graphdoctor.source.keras_generation.installed_generation", lambda folder: 1)
    (tmp_path / "gan" / "layers").mkdir(parents=True)
    (tmp_path / "gan" / "__init__.py").touch()
    (tmp_path / "README.md").write_text("written for tensorflow 2.0")
    assert known_generation(str(tmp_path / "gan" / "layers")) == 2
    assert known_generation(str(tmp_path)) == 2
