"""Functions and objects that are made anew: where they are made once, and where they are left."""

import pytest
from tests.checking import changed_lines, check, ways

HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param(
            "class A:\n  def __init__(self):\n    self.w = tf.Variable(1.0)\n  def run(self, x):\n"
            "    @tf.function\n    def f(y):\n      return y * self.w\n    return f(x)\n"
            "a = A()\nfor _ in range(9): a.run(tf.ones([2]))",
            ["@tf.function", "def f(self, y):", "return y * self.w", "return self.f(x)"],
            id="with self: a method",
        ),
        pytest.param(
            "def run(x):\n  @tf.function\n  def f(y):\n    return y * 2.0\n  return f(x)\n"
            "for _ in range(9): run(tf.ones([2]))",
            ["@tf.function", "def f(y):", "return y * 2.0"],
            id="with nothing: at the top",
        ),
        pytest.param(
            "def run(x, scale):\n  @tf.function\n  def f(y):\n    return y * scale\n  return f(x)\n"
            "k = tf.constant(2.0)\nfor _ in range(9): run(tf.ones([2]), k)",
            ["@tf.function", "def f(y, scale):", "return y * scale", "return f(x, scale)"],
            id="with a local: a parameter",
        ),
        pytest.param(
            "def g(x):\n  return x\ndef run(x):\n  return tf.function(g)(x)\n"
            "for _ in range(9): run(tf.ones([2]))",
            ["graph_g = tf.function(g)", "return graph_g(x)"],
            id="wrapped in a function",
        ),
        pytest.param(
            "class A:\n  def __init__(self):\n    self.w = 1.0\n  def g(self, x): return x\n"
            "  def run(self, x):\n    return tf.function(self.g)(x)\n"
            "a = A()\nfor _ in range(9): a.run(tf.ones([2]))",
            ["self._graph_g = tf.function(self.g)", "return self._graph_g(x)"],
            id="a method, wrapped in another",
        ),
        pytest.param(
            "class A:\n  def __init__(self):\n    self.w = 2.0\n"
            "  def run(self, x):\n    return tf.function(lambda y: y * self.w)(x)\n"
            "a = A()\nfor _ in range(9): a.run(tf.ones([2]))",
            ["self._graph_function = tf.function(lambda y: y * self.w)", "return self._graph_function(x)"],
            id="a lambda with self alone",
        ),
        pytest.param(
            "class A:\n  def __init__(self):\n    self.w = 2.0\n"
            "  def run(self, x, k):\n    return tf.function(lambda y: y * self.w * k)(x)\n"
            "a = A()\nfor _ in range(9): a.run(tf.ones([2]), 2.0)",
            [],
            id="a lambda with more of the method than self",
        ),
    ],
)
def test_a_function_is_made_once(program: str, expected: list[str]) -> None:
    assert changed_lines(HEAD + program, "GD102") == expected


def test_a_factory_gives_a_partial_or_remembers_what_it_made() -> None:
    program = (
        "def make(k):\n  @tf.function\n  def f(x): return x * k\n  return f\n"
        "for _ in range(9): make(2.0)(tf.ones([2]))"
    )
    assert changed_lines(HEAD + program, "GD102", 0)[-1] == (
        "return functools.partial(f, k=tf.convert_to_tensor(k))"
    )
    assert changed_lines(HEAD + program, "GD102", 1) == [
        "import functools",
        "@functools.lru_cache(maxsize=None)",
    ]


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            "def run(x):\n  def h(y): return y\n  @tf.function\n  def f(y): return h(y)\n"
            "  return [f(x)]\nfor _ in range(9): run(tf.ones([2]))",
            id="it takes a function that is new as well",
        ),
        pytest.param(
            "class A:\n  def run(self, x):\n    @tf.function\n    def f(y): return y\n    self.f = f\n"
            "    return f(x)\na = A()\nfor _ in range(9): a.run(tf.ones([2]))",
            id="it is kept elsewhere too",
        ),
    ],
)
def test_no_edit_of_a_function(program: str) -> None:
    (finding,) = check(HEAD + program, "GD102")
    assert finding.fix is not None
    assert finding.fix.edits == ()


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param(
            "m = M()\nfor _ in range(9): f(m.step)",
            ["function = m.step", "for _ in range(9): f(function)"],
            id="a bound method",
        ),
        pytest.param(
            "m = M()\nvalues = [f(m.step) for _ in range(9)]",
            ["function = m.step", "values = [f(function) for _ in range(9)]"],
            id="in a comprehension",
        ),
        pytest.param(
            "for _ in range(9): f(lambda x: x + 1.0)",
            ["def function(x):", "return x + 1.0", "for _ in range(9): f(function)"],
            id="a lambda",
        ),
        pytest.param(
            "def run(x):\n  return f(M())\nfor _ in range(9): run(1)",
            ["function = M()", "return f(function)"],
            id="in a function that a loop calls",
        ),
    ],
)
def test_an_object_is_made_once(program: str, expected: list[str]) -> None:
    head = HEAD + "@tf.function\ndef f(function): return 1\nclass M:\n  def step(self, x): return x\n"
    assert changed_lines(head + program, "GD109") == expected


@pytest.mark.parametrize(
    "program",
    ["for i in range(9): f(lambda x: x + i)", "for i in range(9):\n  m = M()\n  f(m.step)"],
    ids=["it takes the number of the iteration", "of an object of the iteration"],
)
def test_an_object_of_the_iteration_is_left(program: str) -> None:
    head = HEAD + "@tf.function\ndef f(function): return 1\nclass M:\n  def step(self, x): return x\n"
    assert ways(head + program, "GD109") == []


def test_a_pipeline_moves_before_the_loop_and_one_of_the_iteration_stays() -> None:
    program = (
        "for epoch in range(9):\n  data = tf.data.Dataset.range({}).map(lambda x: x + 1)\n"
        "  for x in data: pass"
    )
    assert changed_lines(HEAD + program.format(4), "GD122") == [
        "data = tf.data.Dataset.range(4).map(lambda x: x + 1)"
    ]
    assert [finding.fixes for finding in check(HEAD + program.format("epoch"), "GD122")] in ([], [()])


def test_one_function_for_all_the_values_it_is_made_for() -> None:
    program = (
        "class A:\n  def __init__(self): self.made = {}\n  def get(self, k):\n    if k not in self.made:\n"
        "      def f(x):\n        return x * k\n      self.made[k] = tf.function(f)\n"
        "    return self.made[k]\na = A()\nfor i in range(9): a.get(i * 0.5)(tf.ones([2]))"
    )
    assert changed_lines(HEAD + program, "GD102") == [
        "import functools",
        "@tf.function",
        "def f(x, k):",
        "return x * k",
        "self.made[k] = functools.partial(f, k=tf.convert_to_tensor(k))",
    ]


def test_a_parameter_is_not_added_after_one_with_a_default() -> None:
    program = (
        "def run(x, scale):\n  @tf.function\n  def f(y, twice=False):\n    return y * scale\n  return f(x)\n"
        "for _ in range(9): run(tf.ones([2]), 1.0)"
    )
    assert [fix.title for finding in check(HEAD + program, "GD102") for fix in finding.fixes] == [
        "Remember what it made"
    ]
