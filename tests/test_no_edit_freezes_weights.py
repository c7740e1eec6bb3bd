"""No edit puts a graph function inside a Keras 3 `call` that builds its layers lazily: GD709 sees it."""

import inspect

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module, check_text
from graphdoctor.model import apply_edits
from graphdoctor.rules import Example, Rule
from graphdoctor.source import parse_module
from tests.ratcheting import all_examples
from tests.refactoring.attention_models import OF_KERAS_2, PROGRAMS
from tests.scoring import Case, all_cases

RULE = "GD709"
NET = """
    import keras
    import tensorflow as tf
    from keras import ops


    class Net(keras.{kind}):
        def __init__(self):
            super().__init__()
            self.first = keras.layers.Dense(4)
            self.second = keras.layers.Dense(4)

        {method}

        def call(self, x):
            {body}


    net = Net()
    net.compile("sgd", "mse")
    net.fit(tf.ones([8, 4]), tf.ones([8, 4]), verbose=0)
    """
HELPER = "def choose(self, x):\n            {body}"
PLAIN = "def nothing(self):\n            return None"
# What makes somebody who reads the error put `@tf.function` on the method.
BODIES = {
    "a condition": "if tf.reduce_sum(x) > 0:\n                x = self.first(x)\n            "
    "return self.second(x)",
    "a condition that sets an attribute": "if ops.sum(x) > 0:\n                self.seen = self.first(x)\n"
    "            return self.second(x)",
    "a loop": "for _ in tf.range(tf.shape(x)[0]):\n                x = self.first(x)\n"
    "            return self.second(x)",
    "a loop with `break`": "for row in x:\n                if row[0] > 0:\n                    break\n"
    "            return self.second(self.first(x))",
    "a `while`": "while tf.reduce_sum(x) < 9.0:\n                x = x + self.first(x)\n"
    "            return self.second(x)",
    "an assertion": "assert tf.reduce_sum(x) > 0\n            return self.second(self.first(x))",
    "a chained comparison": "if 0 < tf.reduce_sum(x) < 9:\n                x = self.first(x)\n"
    "            return self.second(x)",
}
KINDS = ("Model", "layers.Layer")
USE = ('net.compile("sgd", "mse")\n', "whole = keras.Sequential([keras.Input([4]), net])\n")


def net(body: str, *, helper: bool, layer: bool) -> str:
    """A program with such a model: the body is that of `call`, or of a method that it uses."""
    method = HELPER.format(body=body) if helper else PLAIN
    used = "return self.choose(x)" if helper else body
    text = inspect.cleandoc(NET.format(kind=KINDS[layer], method=method, body=used)) + "\n"
    if layer:
        text = text.replace(USE[0], f'{USE[1]}whole.compile("sgd", "mse")\n').replace("net.fit", "whole.fit")
    return text


NETS = {
    f"{name} in {'a method' if helper else 'call'} of a {KINDS[layer]}": net(body, helper=helper, layer=layer)
    for name, body in BODIES.items()
    for helper in (False, True)
    for layer in (False, True)
}


def frozen(text: str) -> int:
    """How many graph functions of a program hold initial weights."""
    return len(check_module(parse_module("program.py", text, 3), Config(select=(RULE,))))


def freezing(text: str) -> list[tuple[str, str]]:
    """The edits after which more graph functions hold initial weights than before."""
    findings = check_text("program.py", text, Config(keras=3)).findings
    before = frozen(text)
    return [
        (finding.rule, fix.title)
        for finding in findings
        for fix in finding.fixes
        if any("function" in edit.text for edit in fix.edits)
        and frozen(apply_edits(text, fix.edits)) > before
    ]


@pytest.mark.parametrize("text", NETS.values(), ids=NETS)
def test_it_would_be_noticed(text: str) -> None:
    assert frozen(text) == 0
    assert frozen(text.replace("    def call", "    @tf.function\n    def call")) > 0


@pytest.mark.parametrize("text", NETS.values(), ids=NETS)
def test_no_edit_freezes_a_model_with_lazily_built_layers(text: str) -> None:
    assert freezing(text) == []


@pytest.mark.parametrize("text", [*PROGRAMS.values(), *OF_KERAS_2.values()], ids=[*PROGRAMS, *OF_KERAS_2])
def test_no_edit_freezes_the_handwriting_model(text: str) -> None:
    assert freezing(text) == []


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "rule", "example"), all_examples())
def test_no_edit_of_an_example_freezes_weights(name: str, rule: Rule, example: Example) -> None:
    assert freezing(example.bad) == []


@pytest.mark.corpus
@pytest.mark.parametrize("case", all_cases(), ids=lambda case: case.name)
def test_no_edit_of_a_field_case_freezes_weights(case: Case) -> None:
    assert freezing(case.program.read_text(encoding="utf-8")) == []
