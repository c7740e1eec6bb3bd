"""Findings in code that nothing in a project uses are notes; everything else stays as severe as it is."""

import json
from inspect import cleandoc
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths

LAYER = """
    import tensorflow as tf
    @tf.function
    def jitter(image):
        print(tf.norm(image))
        return image
    @tf.function
    def crop(image):
        return image
"""
USER = "from tools.image import crop\nimport tensorflow as tf\ncrop(tf.ones([2]))\n"


def severities(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: str) -> list[str]:
    """How severe the one finding is, in a project of these files."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / (name.replace("__", "/") + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(cleandoc(text) + "\n")
    monkeypatch.chdir(folder)
    report = check_paths(["."], Config(select=("GD201",)))
    return [f.severity.value if f.is_shown else f.confidence.level.value for f in report.findings]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"train": USER.replace("crop", "jitter")}, id="imported by name"),
        pytest.param({"train": USER + "from tools import image\nimage.jitter(1)"}, id="through its module"),
        pytest.param({"train": USER + "from tools.image import *\njitter"}, id="with all of its module"),
        pytest.param({"train": USER + "WAYS = ['tools.image.jitter']"}, id="by a text"),
        pytest.param(
            {"train": USER + "import importlib\nimportlib.import_module('x')"}, id="perhaps by a text"
        ),
        pytest.param({"train": USER, "setup": "from setuptools import setup\nsetup()"}, id="of a package"),
        pytest.param({"tools__init": "from other import jitter", "other": "jitter = 1"}, id="no definition"),
    ],
)
def test_what_may_be_used_is_as_severe_as_ever(
    more: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, tools__image=LAYER, **more) == ["WRONG"]


@pytest.mark.parametrize(
    ("name", "end", "severity"),
    [
        pytest.param("scripts__train", "\nif __name__ == '__main__': print(crop(1))", "LOW", id="a script"),
        pytest.param("scripts__train", "", "WRONG", id="a module of a namespace, perhaps"),
        pytest.param("train", "\nif __name__ == '__main__': print(crop(1))", "WRONG", id="beside setup.py"),
    ],
)
def test_a_script_beside_a_package_is_used_by_nobody_else(
    name: str, end: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {name: cleandoc(LAYER) + end, "setup": "from setuptools import setup\nsetup()"}
    assert severities(tmp_path, monkeypatch, **files) == [severity]


def test_a_file_that_stands_for_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert severities(tmp_path, monkeypatch, image=LAYER, another="print(1)") == ["WRONG"]


def test_what_its_own_program_uses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = cleandoc(LAYER) + "\nif __name__ == '__main__':\n    jitter(tf.ones([2]))"
    assert severities(tmp_path, monkeypatch, image=main) == ["WRONG"]


def test_what_its_own_program_does_not_use_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    main = cleandoc(LAYER) + "\nif __name__ == '__main__':\n    crop(tf.ones([2]))"
    assert severities(tmp_path, monkeypatch, image=main) == ["LOW"]


def test_a_file_that_nothing_imports_where_others_import_each_other_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"image": LAYER, "train": "import data\ndata.load()", "data": "def load(): pass"}
    assert severities(tmp_path, monkeypatch, **files) == ["LOW"]


CALLED = cleandoc(LAYER) + "\njitter(tf.ones([2]))"


@pytest.mark.parametrize("name", ["image", "bold", "threshold", "golden__image", "older_image"])
def test_names_that_only_sound_old(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert severities(tmp_path, monkeypatch, **{name: CALLED}) == ["WRONG"]


def test_a_method_called_eval_imports_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"tools__image": LAYER, "train": USER + "model.eval(1)\ndef eval(x): pass"}
    assert severities(tmp_path, monkeypatch, **files) == ["LOW"]


@pytest.mark.parametrize(
    "more",
    [
        pytest.param({"train": USER}, id="its neighbour is used"),
        pytest.param({"train": USER, "other": "def jitter(x): return x"}, id="another of that name"),
        pytest.param(
            {"train": USER + "from other import jitter\njitter(1)", "other": "def jitter(x): return x"},
            id="another of that name is used",
        ),
    ],
)
def test_what_nothing_names_is_a_note(
    more: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, tools__image=LAYER, **more) == ["LOW"]


METHOD = """
    import tensorflow as tf
    class Net(tf.Module):
        @tf.function
        def {name}(self, x): print(tf.reduce_sum(x))
        def plain(self, x): return x
    net = Net()
    net.plain(tf.ones([2]))
    """


@pytest.mark.parametrize("name", ["call", "step", "__call__", "on_epoch_end"])
def test_methods_that_others_call_by_their_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"net": METHOD.replace("{name}", name), "train": "import net"}
    assert severities(tmp_path, monkeypatch, **files) == ["WRONG"]


def test_a_method_that_something_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {
        "net": METHOD.replace("{name}", "angle"),
        "train": "import net\nfrom other import f\nf(net.net.angle)",
        "other": "def f(method): pass",
    }
    assert severities(tmp_path, monkeypatch, **files) == ["WRONG"]


def test_a_method_that_nothing_names_is_a_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"net": METHOD.replace("{name}", "angle"), "train": "import net"}
    assert severities(tmp_path, monkeypatch, **files) == ["LOW"]


def test_a_class_that_another_of_its_name_replaces_is_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = """
        import tensorflow as tf
        class Net(tf.Module):
            @tf.function
            def __call__(self, x): print(tf.reduce_sum(x))
        class Net{0}:
            def __call__(self, x): return x
        """
    files = {"net": text.replace("{0}", ""), "train": "import net\nnet.Net()"}
    assert severities(tmp_path, monkeypatch, **files) == ["LOW"]
    files = {"net": text.replace("{0}", "2"), "train": "import net\nnet.Net()"}
    assert severities(tmp_path, monkeypatch, **files) == ["WRONG"]


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ("first(tf.ones([2]))", "WRONG"),
        ("call_it(first)", "WRONG"),
        ("other(tf.ones([2]))", "LOW"),
    ],
)
def test_a_function_of_a_notebook_that_nothing_names_is_a_note(
    more: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [
        "import tensorflow as tf\n@tf.function\ndef first(x):\n    print(tf.reduce_sum(x))\n",
        more,
    ]
    notebook = {
        "cells": [{"cell_type": "code", "source": [cell], "metadata": {}, "outputs": []} for cell in cells],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    (tmp_path / "train.ipynb").write_text(json.dumps(notebook))
    monkeypatch.chdir(tmp_path)
    report = check_paths(["."], Config())
    assert [f.severity.value if f.is_shown else f.confidence.level.value for f in report.findings] == [
        severity
    ]


OLD = """
    import tensorflow as tf
    class Old(tf.keras.layers.Layer):
        @tf.function
        def call(self, x):
            print(tf.norm(x))
            return x
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
"""


@pytest.mark.parametrize(
    ("more", "severity"),
    [
        ("tf.get_logger().setLevel('ERROR')", "WRONG"),
        ("model.fit(Old()(tf.ones([2, 1])))", "WRONG"),
        ("model.fit(tf.ones([2, 1]))", "LOW"),
        ("history = model.fit(tf.ones([2, 1]))", "LOW"),
        ("for epoch in range(3): model(tf.ones([2, 1]))", "LOW"),
        ("def start(): model(tf.ones([2, 1]))\n    start()", "LOW"),
    ],
)
def test_a_class_that_a_script_of_its_own_does_not_use_is_a_note(
    more: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert severities(tmp_path, monkeypatch, train=f"{OLD}    {more}\n") == [severity]


@pytest.mark.parametrize(("more", "severity"), [("Old()(tf.ones([2]))", "WRONG"), ("print(1)", "LOW")])
def test_a_class_of_a_notebook_that_nothing_names_is_a_note(
    more: str, severity: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [{"cell_type": "code", "source": [cell], "outputs": []} for cell in (cleandoc(OLD), more)]
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": cells}))
    assert severities(tmp_path, monkeypatch) == [severity]
