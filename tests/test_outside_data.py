"""What `check` says of programs whose data or libraries the source does not show: only what proved right."""

import json
import re
from inspect import cleandoc
from pathlib import Path

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_paths
from graphdoctor.rules import all_rules

PROGRAM = """
    import tensorflow as tf
    {imports}
    @tf.function
    def step(x):
        print(tf.reduce_sum(x))
        return x
    for turn in range(3):
        step(tf.ones([2]))
"""


def told(folder: Path, rule: str, **files: str) -> list[tuple[str, str]]:
    """How severe the findings of a project are, and what they hang on."""
    (folder / ".git").mkdir(exist_ok=True)
    for name, text in files.items():
        path = folder / (name.replace("__", "/", 1) + ".py")
        path.parent.mkdir(exist_ok=True)
        path.write_text(cleandoc(text) + "\n")
    found = check_paths([str(folder)], Config(select=(rule,))).findings
    return [(each.severity.value, each.certainty.doubt if each.certainty else "") for each in found]


@pytest.mark.parametrize(
    ("imports", "more"),
    [
        pytest.param("import os, sys, json, argparse", {}, id="Python's own"),
        pytest.param("import numpy as np; np.random.rand(3)", {}, id="numbers that it draws"),
        pytest.param("import matplotlib.pyplot as plt; from tqdm import tqdm", {}, id="pictures, progress"),
        pytest.param("import json; json.load(open('settings.json'))", {}, id="settings"),
        pytest.param("out = open('log.txt', 'w')", {}, id="a file that it writes"),
        pytest.param("import tempfile, numpy as np; np.load('x.npy')", {}, id="a file of its own"),
        pytest.param("from data import load; load()", {"data": "def load(): return 3"}, id="its own module"),
        pytest.param("from tools import data", {"tools__data": "SIZE = 3"}, id="a folder of its own"),
        pytest.param("import tools.data", {"tools__data": "SIZE = 3"}, id="a module in a folder"),
        pytest.param("", {"other": "import cv2\ncv2.imread('x.png')"}, id="another program beside it"),
    ],
)
def test_a_program_that_shows_all_it_works_on(imports: str, more: dict[str, str], tmp_path: Path) -> None:
    assert told(tmp_path, "GD201", train=PROGRAM.replace("{imports}", imports), **more) == [("WRONG", "")]


@pytest.mark.parametrize(
    ("imports", "more", "name"),
    [
        pytest.param("import cv2", {}, "cv2", id="a library of pictures"),
        pytest.param("from sklearn.svm import SVC", {}, "sklearn", id="from a library"),
        pytest.param("import numpy as np; np.load('x.npy')", {}, "numpy.load", id="a file of NumPy's"),
        pytest.param("from numpy import load as read; read('x.npy')", {}, "numpy.load", id="by another name"),
        pytest.param("open('corpus.txt').read()", {}, "open", id="a text"),
        pytest.param("from pathlib import Path; Path('x').read_bytes()", {}, "read_bytes", id="by its path"),
        pytest.param(
            "tf.keras.datasets.mnist.load_data()", {}, "keras.datasets.mnist.load_data", id="a data set"
        ),
        pytest.param(
            "tf.data.TFRecordDataset('x')", {}, "tensorflow.data.TFRecordDataset", id="records of TensorFlow"
        ),
        pytest.param("import data", {"data": "import pandas"}, "pandas", id="in a module that it imports"),
        pytest.param(
            "import first",
            {"first": "import tools.second", "tools__second": "import librosa"},
            "librosa",
            id="in one that this imports",
        ),
        pytest.param("", {"main": "import train, tempfile, cv2"}, "cv2", id="in the program that imports it"),
        pytest.param("import missing", {}, "missing", id="a module that is not there"),
    ],
)
def test_a_program_that_takes_something_from_outside(
    imports: str, more: dict[str, str], name: str, tmp_path: Path
) -> None:
    found = told(tmp_path, "GD201", train=PROGRAM.replace("{imports}", imports), **more)
    assert found == [("NOTE", f"it depends on `{name}`, which is not seen")]


def test_what_proved_right_in_such_programs_stays(tmp_path: Path) -> None:
    program = PROGRAM.replace("{imports}", "import cv2, random").replace("print", "x *= random.random() #")
    assert told(tmp_path, "GD208", train=program) == [("WRONG", "")]


def test_a_notebook_and_the_module_that_it_imports(tmp_path: Path) -> None:
    program = cleandoc(PROGRAM.replace("{imports}", "import data"))
    cells = [{"cell_type": "code", "source": [program], "outputs": []}]
    (tmp_path / "train.ipynb").write_text(json.dumps({"cells": cells}))
    assert told(tmp_path, "GD201", data="SIZE = 3") == [("WRONG", "")]
    (tmp_path / "data.py").write_text("import cv2\n")
    assert told(tmp_path, "GD201") == [("NOTE", "it depends on `cv2`, which is not seen")]


STALE = """
    import cv2
    import tensorflow as tf
    {first}
    {change}
    @tf.function
    def step(x):
        return x * rate
    data = tf.data.Dataset.from_tensor_slices(tf.ones([8, 2])).batch(2)
    {turns}
"""
TURNS = "for batch in data:\n        change(batch)\n        step(batch)"


@pytest.mark.parametrize(
    ("first", "change", "turns", "severity"),
    [
        pytest.param("rate = 1.0", "", "step(1)\n    rate = 2.0\n    step(1)", "WRONG", id="known numbers"),
        pytest.param("", "", "for rate in data: step(tf.ones([2, 2]))", "WRONG", id="a batch"),
        pytest.param(
            "",
            "",
            "for i, rate in enumerate(data): step(tf.ones([2, 2]))",
            "WRONG",
            id="a batch with a number",
        ),
        pytest.param(
            "",
            "",
            "for batch in data:\n        rate = tf.abs(batch)\n        step(batch)",
            "WRONG",
            id="of it",
        ),
        pytest.param(
            "rate = 0.5",
            "",
            "for batch in data:\n        step(batch)\n        rate *= 0.9",
            "WRONG",
            id="counted",
        ),
        pytest.param(
            "rate = 0.5",
            "",
            "for batch in data:\n        step(batch)\n        rate = max(rate - 0.1, 0.0)",
            "WRONG",
            id="of what it was",
        ),
        pytest.param(
            "rate = tf.ones([2])",
            "def change(x):\n        global rate\n        rate = tf.random.normal([2])",
            TURNS,
            "WRONG",
            id="drawn",
        ),
        pytest.param(
            "rate = tf.ones([2])",
            "def change(x):\n        global rate\n        rate = tf.constant(cv2.imread(x)) * 2.0",
            TURNS,
            "NOTE",
            id="computed again",
        ),
    ],
)
def test_state_that_is_shown_to_be_another(
    first: str, change: str, turns: str, severity: str, tmp_path: Path
) -> None:
    program = STALE.replace("{first}", first).replace("{change}", change).replace("{turns}", turns)
    assert [level for level, _ in told(tmp_path, "GD214", train=program)] == [severity]


def test_what_a_function_that_is_made_for_each_call_reads_from_around_it(tmp_path: Path) -> None:
    program = """
        import sys
        import tensorflow as tf
        @tf.function
        def flow(x, move):
            return move(x)
        class Filter:
            def __call__(self, rows, turns):
                size = int(tf.shape(rows[0])[0])
                def move(x):
                    return x * size
                for turn in range(1, turns):
                    flow(tf.ones([2]), move)
        likelihood = Filter()
        for turn in range(int(sys.argv[1])):
            likelihood(tf.ones([3, turn]), 5)
        """
    assert told(tmp_path, "GD214", train=program) == []


def test_what_a_function_imports_for_itself(tmp_path: Path) -> None:
    program = PROGRAM.replace(
        "{imports}", "def load():\n        import numpy as n\n        return n.load('x')"
    )
    found = told(tmp_path, "GD201", train=program)
    assert found == [("NOTE", "it depends on `numpy.load`, which is not seen")]


VALIDATED = """
    import cv2, logging
    import tensorflow as tf
    class Net(tf.Module):
        def __init__(self):
            self.training = True
        @tf.function{options}
        def call(self, x):
            {more}
            return tf.nn.dropout(x, 0.5) if self.training else x
    net = Net()
    data = tf.data.Dataset.from_tensor_slices(cv2.imread("x.png")).batch(8)
    for epoch in range(5):
        net.training = True
        for batch in data:
            net.call({batch})
        net.training = False
        for batch in {other}:
            net.call(batch)
"""


@pytest.mark.parametrize(
    ("options", "batch", "other", "severity"),
    [
        pytest.param("", "batch", "cv2.load()", "NOTE", id="nobody knows the sizes"),
        pytest.param("(reduce_retracing=True)", "batch", "cv2.load()", "WRONG", id="which do not matter"),
        pytest.param("", "tf.ones([8, 2])", "[tf.ones([8, 2])]", "WRONG", id="known sizes"),
    ],
)
def test_a_call_that_may_have_a_trace_of_its_own(
    options: str, batch: str, other: str, severity: str, tmp_path: Path
) -> None:
    program = VALIDATED.replace("{options}", options).replace("{batch}", batch).replace("{other}", other)
    found = told(tmp_path, "GD215", train=program.replace("{more}", "pass"))
    assert [level for level, _ in found] == [severity]


def test_a_number_that_only_a_log_shows(tmp_path: Path) -> None:
    program = """
        import logging
        import tensorflow as tf
        epoch = 0
        @tf.function
        def step(x):
            logging.info("epoch %d", epoch)
            return x
        for epoch in range(3):
            step(tf.ones([2]))
        """
    assert told(tmp_path, "GD214", train=program) == []


def test_a_note_says_what_its_program_depends_on(tmp_path: Path) -> None:
    """Not that nothing calls the function, which is so only where its module is looked at by itself."""
    net = """
        import tensorflow as tf
        @tf.function
        def step(x):
            if tf.reduce_sum(x) > 0.0:
                y = x * 2.0
            return y
        """
    train = "import cv2\nimport tensorflow as tf\nfrom tools.net import step\nstep(tf.ones([2]))"
    found = told(tmp_path, "GD301", tools__net=net, train=train)
    assert found == [("NOTE", "it depends on `cv2`, which is not seen")]


def test_what_one_expression_gives_has_one_size(tmp_path: Path) -> None:
    program = """
        import cv2, sys
        import tensorflow as tf
        class Net(tf.Module):
            def __init__(self):
                self.training = True
            @tf.function
            def call(self, x):
                return tf.nn.dropout(x, 0.5) if self.training else x
        def drawn():
            return tf.random.normal([int(sys.argv[1]), 2])
        net = Net()
        net.call(drawn())
        net.training = False
        net.call(drawn())
        """
    assert told(tmp_path, "GD215", train=program) == [("WRONG", "")]


def test_the_guide_names_the_rules_that_proved_right() -> None:
    guide = (Path(__file__).parents[1] / "docs/check.md").read_text()
    (row,) = [line for line in guide.splitlines() if line.startswith("| data from outside |")]
    proven = {rule.id for rule in all_rules() if rule.proven}
    assert set(re.findall(r"GD\d+", row)) == proven
