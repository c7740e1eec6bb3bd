"""GD102: must not fire, must fire, and when hoisting is refused."""

import pytest

from checking import check, fixed
from graphdoctor.model import Safety
from making import judged, make_trace, tensor

RULE = "GD102"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("@tf.function\ndef f(x): return x\nfor i in range(9): f(x)", id="made once"),
        pytest.param("steps = [tf.function(m.step) for m in models]", id="one per model"),
        pytest.param(
            "for m in models:\n  @tf.function\n  def f(x): return m(x)\n  steps.append(f)",
            id="kept in a list",
        ),
        pytest.param(
            "def make(model):\n  @tf.function\n  def f(x): return model(x)\n  return f\n"
            "for m in models: make(m)",
            id="a factory",
        ),
        pytest.param(
            "class T:\n  def __init__(self):\n    self.f = tf.function(self.g)\n  def g(self, x): return x",
            id="kept on self",
        ),
        pytest.param(
            "def main():\n  @tf.function\n  def f(x): return x\n  for i in range(9): f(x)\nmain()",
            id="inner function of a main that runs once",
        ),
        pytest.param("def g(x): return x\ntf.function(g)(x)", id="called once"),
        pytest.param("for m in models:\n  tf.function(m)(x)", id="who knows what m is"),
        pytest.param(
            "for i in range(3):\n  class A:\n    @tf.function\n    def f(self): pass", id="a method"
        ),
        *(
            pytest.param(f"def g(x): return x\nf = None\nfor i in range(9):\n{body}", id=name)
            for name, body in {
                "other options at each turn": "  f = tf.function(g, jit_compile=bool(i))\n  f(x)",
                "made at the first turn": "  if f is None:\n    f = tf.function(g)\n  f(x)",
                "used after the loop": "  f = tf.function(g)\n  f(x)\nf(y)",
                "handed on": "  f = tf.function(g)\n  f(x)\n  register(f)",
                "left at the first turn": "  f = tf.function(g)\n  f(x)\n  break",
                "of a new function": "  def g(x): return x * i\n  f = tf.function(g)\n  steps.append(f)",
            }.items()
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + program, RULE) == []


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("for i in range(9):\n  @tf.function\n  def f(x): return x\n  f(i)", 3),
        ("while True:\n  @tf.function(jit_compile=True)\n  def f(x): return x\n  f(1)", 3),
        ("def g(x): return x\nfor i in range(9): tf.function(g)(i)", 3),
        ("def g(x): return x\ndef step(x): return tf.function(g)(x)\nfor i in range(9): step(i)", 3),
        ("for i in range(9): tf.function(lambda x: x)(i)", 2),
        ("def g(x): return x\nfor i in range(9):\n  f = tf.function(g)\n  for x in data: f(x)", 4),
        (
            "class T:\n  def g(self, x): return x\n  def fit(self):\n    while self.more():\n"
            "      f = tf.function(self.g)\n      f(x)",
            6,
        ),
        ("def step(x):\n  @tf.function\n  def f(x): return x\n  return f(x)\nfor i in range(9): step(i)", 3),
    ],
)
def test_must_fire(program: str, line: int) -> None:
    assert [finding.line for finding in check(HEAD + program, RULE)] == [line]


def test_hoisting_is_refused_when_the_function_uses_the_loop() -> None:
    program = HEAD + "for i in range(9):\n  @tf.function\n  def f(x): return x + i\n  f(1)"
    (finding,) = check(program, RULE)
    assert finding.fix is not None
    assert (finding.fix.safety, finding.fix.edits) == (Safety.MANUAL, ())


def test_hoisting_keeps_comments_and_indentation() -> None:
    program = """
        import tensorflow as tf


        def main(batches):
            for batch in batches:  # all of them
                @tf.function  # graph
                def double(x):
                    # twice
                    return x + x

                double(batch)
        """
    assert fixed(program, RULE).split("def main")[1] == (
        "(batches):\n"
        "    @tf.function  # graph\n"
        "    def double(x):\n"
        "        # twice\n"
        "        return x + x\n"
        "\n"
        "    for batch in batches:  # all of them\n"
        "\n"
        "        double(batch)\n"
    )


def objects(count: int, **changes: object) -> list:
    return [make_trace(tensor("x", 3), object=n, **changes) for n in range(1, count + 1)]


@pytest.mark.parametrize(
    ("count", "calls"), [(2, 2), (5, 500)], ids=["two objects", "each called a hundred times"]
)
def test_a_run_with_one_function_per_model_is_fine(count: int, calls: int) -> None:
    assert judged(RULE, *objects(count), calls=calls) == []


def test_a_run_counts_the_objects() -> None:
    (finding,) = judged(RULE, *objects(5), calls=5)
    assert finding.message == "`step` was made into a graph function 5 times and traced each time (2.0 s)"


def test_an_assignment_moves_with_its_comment() -> None:
    program = """
        import tensorflow as tf

        def step(x):
            return x * 2

        for epoch in range(5):
            print(epoch)
            fast = tf.function(step)  # faster
            for x in data:
                fast(x)
        """
    assert fixed(program, RULE).endswith(
        "fast = tf.function(step)  # faster\nfor epoch in range(5):\n    print(epoch)\n    for x in data:\n"
        "        fast(x)\n"
    )
