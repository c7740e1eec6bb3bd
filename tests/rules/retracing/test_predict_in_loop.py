"""GD130: where `predict` for one sample after the other is reported, and where not."""

import pytest
from tests.checking import check, fixed

from graphdoctor.model import Severity

RULE = "GD130"
HEAD = """\
import numpy as np
import tensorflow as tf
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
x = np.ones((1, 4), "float32")
"""
CALLBACK = """
class Watch(tf.keras.callbacks.Callback):
    def {}(self, number, logs=None):
        self.model.predict(x, verbose=0)

model.compile("sgd", "mse")
model.fit(np.ones((64, 4)), np.ones((64, 2)), batch_size={}, epochs={}, callbacks=[Watch()])
"""


@pytest.mark.parametrize(
    "program",
    [
        "for _ in range(100):\n    model.predict(x)",
        "while True:\n    model.predict(np.expand_dims(np.ones(4), 0), verbose=0)",
        "states = [np.ones(4)] * 100\nall_of_them = [model.predict(s[np.newaxis]) for s in states]",
        "def act(s):\n    return model.predict(s.reshape(1, 4))\nfor _ in range(9):\n    act(np.ones(4))",
        "for episode in range(500):\n    while model.predict(x)[0, 0] > 0:\n        pass",
        "for _ in range(100):\n    model.predict([x])",
        "for i in range(100):\n    if i % 2 == 0:\n        model.predict(x)",
        "for i in range(60):\n    if i % 10 == 0:\n        for _ in range(9):\n            model.predict(x)",
        "model.compile('sgd', 'mse')\nfor _ in range(100):\n    model.fit(x, np.ones((1, 2)), verbose=0)",
        "model.compile('sgd', 'mse')\nfor _ in range(100):\n    model.evaluate(x, np.ones((1, 2)))",
        "def frames():\n    for _ in range(9):\n        yield x\nlist(map(model.predict, frames()))",
        CALLBACK.format("on_train_batch_end", 1, 1),
        CALLBACK.format("on_batch_begin", 16, 3),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + program, RULE)] == [RULE]


@pytest.mark.parametrize(
    "program",
    [
        "model.predict(x)",
        "for i in range(9000):\n    if i % 200 == 0:\n        print(model.predict(x))",
        "def act():\n    model.predict(x)\nfor i in range(900):\n    if i > 9 and not i % 99:\n        act()",
        "import sys\nevery = int(sys.argv[1])\nfor i in range(9000):\n    if (i + 1) % every == 0:\n"
        "        model.predict(x)",
        "tf.compat.v1.disable_eager_execution()\nfor _ in range(100):\n    model.predict(x)",
        "from tensorflow.python.framework.ops import disable_eager_execution\ndisable_eager_execution()\n"
        "for _ in range(100):\n    model.predict(x)",
        "for epoch in range(100):\n    model.predict(np.ones((64, 4)))",
        "for name in ('a', 'b'):\n    model.predict(x)",
        "def act(data):\n    for batch in data:\n        model.predict(batch)",
        "for _ in range(100):\n    model.predict_on_batch(x)",
        "for _ in range(100):\n    model(x)",
        "y = np.ones((64, 4))\nfor _ in range(100):\n    model.predict([y])",
        "y = np.ones((64, 4))\nfor _ in range(100):\n    model.predict({'a': y})",
        "model.compile('sgd', 'mse')\nfor _ in range(100):\n    model.fit(x, np.ones((1, 2)), epochs=50)",
        "model.compile('sgd', 'mse')\nfor _ in range(100):\n    model.fit(x, np.ones((1, 2)), epochs=n)",
        "list(map(model.predict, (x, x)))",
        CALLBACK.format("on_epoch_end", 1, 9),
        CALLBACK.format("on_train_batch_end", 32, 2),
        "from sklearn.svm import SVC\nclassifier = SVC()\nfor _ in range(100):\n    classifier.predict(x)",
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("call", "after"),
    [
        ("model.predict(x, verbose=0)", "model.predict_on_batch(x)"),
        ("model.predict(x, callbacks=[])", "model.predict(x, callbacks=[])"),
    ],
)
def test_fix(call: str, after: str) -> None:
    program = HEAD + "for _ in range(100):\n    "
    assert fixed(program + call, RULE) == program + after + "\n"


def test_a_loop_that_waits_for_somebody_is_left_alone() -> None:
    program = "for _ in range(100):\n    text = input('next? ')\n    print(text, model.predict(x))\n"
    assert check(HEAD + program, RULE) == []
    assert [each.severity for each in check(HEAD + program.replace("input", "str"), RULE)] == [Severity.SLOW]
