"""GD109: must not fire, must fire."""

import pytest
from tests.checking import check, marked
from tests.making import judged, make_trace, thing

RULE = "GD109"
TRACED = """
import dataclasses
import functools
import typing
import tensorflow as tf

@tf.function
def f(x): return x

@tf.function
def g(m, o): return o.learning_rate * 2.0

class Config:
    def __init__(self, rate): self.rate = rate
    def step(self, x): return x
    @tf.function
    def graph(self, x): return x

class Pair(typing.NamedTuple):
    a: tf.Tensor

@dataclasses.dataclass(frozen=True)
class Frozen:
    rate: float = 2.0

class Equal:
    def __eq__(self, other): return True

"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("c = Config(1)\nfor i in range(9): f(c)", id="one object"),
        pytest.param("for i in range(9): f(Pair(x))", id="compared by what it holds"),
        pytest.param("for i in range(9): f(Equal())", id="has its own equality"),
        pytest.param("c = Frozen()\nf(c)\nfor i in range(9): f(Frozen())", id="equals one that is kept"),
        pytest.param("for i in range(3): f(lambda: i)", id="few"),
        pytest.param(
            "@functools.lru_cache(None)\ndef made(order): return Config(order)\n"
            "for i in range(40): f(made(2 + i % 2))",
            id="remembered for each of a few keys",
        ),
        pytest.param(
            "a, b = Frozen(1.0), Frozen(2.0)\nfor i in range(16): f(a if i < 6 else b)", id="one of two"
        ),
        pytest.param(
            "a = Frozen(1.0)\nfor i in range(16): f(Frozen(2.0) if i == 6 else a)", id="mostly the same one"
        ),
        pytest.param(
            "a, b = Frozen(1.0), Frozen()\nf(a)\nf(b)\n"
            "for i in range(16): f(Frozen(1.0) if i < 6 else Frozen())",
            id="each equals one that is kept",
        ),
        pytest.param(
            "for i in range(16): f(Config(1) if i < 6 else unknown(i))", id="a new one or who knows what"
        ),
        pytest.param("f(lambda: 1)", id="no loop"),
        pytest.param(
            "def phases():\n  for count in (3, 2):\n    c = Config(count)\n"
            "    for _ in range(count): yield c\n"
            "for c in phases(): f(c)",
            id="one for each phase",
        ),
        pytest.param(
            "c = Config(1)\nfor i in range(9): f(c.graph)", id="a graph function is kept per object"
        ),
        pytest.param("for i in range(9): f(Config.step)", id="a plain function"),
        pytest.param("for i in range(9): f(unknown(1))", id="who knows what it returns"),
        pytest.param("for i in range(9): f(tf.data.Dataset.range(3))", id="TensorFlow's own objects"),
        pytest.param("for i in range(9): f(c.rate)", id="an attribute"),
        pytest.param("o = tf.keras.optimizers.SGD(0.1)\nfor i in range(9): f(o)", id="one optimizer"),
        pytest.param("for i in range(3): f(tf.keras.optimizers.SGD(0.1))", id="few optimizers"),
        pytest.param("for i in range(9): f(tf.keras.layers.Dense(2))", id="each layer is to have its graph"),
        pytest.param(
            "for i in range(9):\n  m = tf.keras.Sequential([tf.keras.layers.Dense(2)])\n"
            "  o = tf.keras.optimizers.SGD(0.1)\n  for _ in range(20): g(m, o)",
            id="an optimizer for each model",
        ),
        pytest.param(
            "class M(tf.keras.Model): pass\n"
            "for i in range(9):\n  m, o = M(), tf.keras.optimizers.SGD(0.1)\n  g(m, o)",
            id="an optimizer for each model of a class",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(TRACED + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        ("for i in range(9): f(lambda: 1)", "lambda: 1"),
        ("c = Config(1)\nfor i in range(9):\n  f(c)\n  c = Config(i)", "c"),  # of the iteration before
        ("for i in range(9): f(Frozen())", "Frozen()"),
        (
            "def at(i):\n  if i < 6: return dataclasses.replace(base, rate=3.0)\n"
            "  return dataclasses.replace(base)\nbase = Frozen()\nfor i in range(16): f(at(i))",
            "at(i)",
        ),
        ("for i in range(16): f(Frozen(1.0) if i < 6 else Config(2))", "Frozen(1.0) if i < 6 else Config(2)"),
        (
            "@functools.lru_cache(None)\ndef made(order): return Config(order)\n"
            "for i in range(40): f(made(i))",
            "made(i)",
        ),
        ("c = Frozen()\nfor i in range(9): f(Frozen())", "Frozen()"),
        ("c = Frozen(3.0)\nf(c)\nfor i in range(9): f(Frozen())", "Frozen()"),
        ("f(Frozen())\nfor i in range(9): f(Frozen())", "Frozen()"),
        ("for i in range(n): f(Config(i))", "Config(i)"),
        ("while True: f(functools.partial(f, 1))", "functools.partial(f, 1)"),
        ("c = Config(1)\nfor i in range(9): f(c.step)", "c.step"),
        ("for i in range(9): f(k for k in range(3))", "(k for k in range(3))"),
        ("for i in range(9): f(tf.keras.losses.Huber())", "tf.keras.losses.Huber()"),
        ("m = tf.keras.Sequential()\nfor i in range(9):\n  o = tf.keras.optimizers.SGD(0.1 / i)\n  g(m, o)",
         "o"),
    ],
)  # fmt: skip
def test_must_fire(program: str, expected: str) -> None:
    assert marked(TRACED + program, RULE) == [expected]


def test_a_run_says_what_is_new_and_what_is_dead() -> None:
    traces = [make_trace(thing("c", n, "method"), dead_objects=(n - 1,)) for n in (1, 2, 3)]
    (finding,) = judged(RULE, *traces)
    assert finding.message == (
        "`step` was traced 2 more times (1.0 s) because `c` is a new bound method each time; "
        "2 of their graphs can never be used again"
    )


def test_a_run_with_two_objects_is_a_choice() -> None:
    assert judged(RULE, make_trace(thing("c", 1)), make_trace(thing("c", 2))) == []
