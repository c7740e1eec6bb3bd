"""State that is kept in a `tf.Variable`: every place that names it, and what is left alone."""

import pytest
from tests.checking import changed_lines, check, ways

HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("program", "rule", "expected"),
    [
        pytest.param(
            "class A:\n  def __init__(self, rate):\n    self.rate = rate\n  @tf.function\n"
            "  def f(self, x): return x * self.rate\n  def cool(self):\n    self.rate *= 0.5\n"
            "a = A(1.0)\nfor _ in range(3):\n  a.f(tf.ones([2]))\n  a.cool()\nprint(a.rate)",
            "GD215",
            [
                "self.rate = tf.Variable(rate, trainable=False)",
                "self.rate.assign(self.rate * 0.5)",
                "print(a.rate.numpy())",
            ],
            id="an attribute, from a parameter",
        ),
        pytest.param(
            "class A:\n  def __init__(self, rate):\n    self.name, self.rate = 'a', rate\n  @tf.function\n"
            "  def f(self, x): return x * self.rate\n  def cool(self):\n    self.rate *= 0.5\n"
            "a = A(1.0)\nfor _ in range(3):\n  a.f(tf.ones([2]))\n  a.cool()",
            "GD215",
            [
                "self.name, self.rate = 'a', tf.Variable(rate, trainable=False)",
                "self.rate.assign(self.rate * 0.5)",
            ],
            id="one of several that are set together",
        ),
        pytest.param(
            "def make():\n  rate = 1.0\n  def put(value):\n    nonlocal rate\n    rate = value\n"
            "  @tf.function\n  def f(x): return x * rate\n  return f, put\nf, put = make()\n"
            "f(tf.ones([2]))\nput(0.5)\nf(tf.ones([2]))",
            "GD214",
            ["rate = tf.Variable(1.0, trainable=False)", "rate.assign(value)"],
            id="a closure",
        ),
        pytest.param(
            "options = {'rate': 1.0, 'name': 'a'}\n@tf.function\ndef f(x): return x * options['rate']\n"
            "f(tf.ones([2]))\noptions['rate'] = 0.5\nf(tf.ones([2]))",
            "GD215",
            [
                "options = {'rate': tf.Variable(1.0, trainable=False), 'name': 'a'}",
                "options['rate'].assign(0.5)",
            ],
            id="an item of a dict",
        ),
        pytest.param(
            "class A:\n  def __init__(self):\n    self.count = 0\n  def note(self):\n    self.count += 2\n"
            "  @tf.function\n  def f(self, x):\n    self.note()\n    return x\n"
            "a = A()\nfor _ in range(3): a.f(tf.ones([2]))\nprint(f'{a.count} seen')",
            "GD204",
            [
                "self.count = tf.Variable(0, trainable=False)",
                "self.count.assign_add(2)",
                "print(f'{a.count.numpy()} seen')",
            ],
            id="a counter in a helper",
        ),
        pytest.param(
            "class A:\n  def __init__(self):\n    self.count = 0\n"
            "  @tf.function\n  def f(self, x):\n    self.count += 1\n    return x\n"
            "def main():\n  a = A()\n  for _ in range(3): a.f(tf.ones([2]))\n  print(a.count)\nmain()",
            "GD204",
            [
                "self.count = tf.Variable(0, trainable=False)",
                "self.count.assign_add(1)",
                "print(a.count.numpy())",
            ],
            id="read by the function that calls the traced one",
        ),
        pytest.param(
            "scale = 1\n@tf.function\ndef f(x): return x * scale\n"
            "f(tf.ones([2]))\nscale = 0.5\nf(tf.ones([2]))",
            "GD214",
            ["scale = tf.Variable(1, dtype=tf.float32, trainable=False)", "scale.assign(0.5)"],
            id="a whole number that becomes a float",
        ),
    ],
)
def test_kept_in_a_variable(program: str, rule: str, expected: list[str]) -> None:
    assert changed_lines(HEAD + program, rule) == expected


@pytest.mark.parametrize(
    ("program", "rule"),
    [
        pytest.param(
            "names = 'a'\n@tf.function\ndef f(x): return x if names == 'a' else -x\n"
            "f(tf.ones([2]))\nnames = 'b'\nf(tf.ones([2]))",
            "GD214",
            id="a text",
        ),
        pytest.param(
            "depth = 1\n@tf.function\ndef f(x):\n  return [x for _ in range(depth)]\n"
            "f(tf.ones([2]))\ndepth = 3\nf(tf.ones([2]))",
            "GD214",
            id="a number that Python needs",
        ),
        pytest.param(
            "rate = 1.0\n@tf.function\ndef f(x): return x * rate\nf(tf.ones([2]))\n"
            "rate, other = 0.5, 1.0\nf(tf.ones([2]))",
            "GD214",
            id="set together with another",
        ),
        pytest.param(
            "class A:\n  def __init__(self): self.set(1.0)\n  def set(self, rate): self.rate = rate\n"
            "  @tf.function\n  def f(self, x): return x * self.rate\n"
            "a = A()\na.f(tf.ones([2]))\na.set(0.5)\na.f(tf.ones([2]))",
            "GD215",
            id="no place that gives it the first value",
        ),
    ],
)
def test_left_alone(program: str, rule: str) -> None:
    (finding,) = check(HEAD + program, rule)
    assert finding.fixes == ()


HELD = (
    "class A:\n  def __init__(self):\n    self.rate = 1.0\na = A()\n"
    "@tf.function\ndef f(x): return x * a.rate\n"
    "for _ in range(3):\n  f(tf.ones([2]))\n  a.rate = 0.5 * a.rate\n"
)


def test_what_is_read_to_be_stored_is_read_inside_the_call() -> None:
    assert changed_lines(HEAD + HELD, "GD215")[1] == "a.rate.assign(0.5 * a.rate.numpy())"


@pytest.mark.parametrize("taken", ["vars(a)", "a.__dict__", "dataclasses.asdict(a)"])
def test_an_object_that_is_made_a_dict_keeps_its_numbers(taken: str) -> None:
    (finding,) = check(f"{HEAD}{HELD}print({taken})\n", "GD215")
    assert finding.fixes == ()


def test_an_attribute_of_the_same_name_elsewhere_is_another_one() -> None:
    program = (
        "class A:\n  def __init__(self):\n    self.rate = 1.0\n  @tf.function\n"
        "  def f(self, x): return x * self.rate\n  def cool(self):\n    self.rate = 0.5\n"
        "class B:\n  def __init__(self):\n    self.rate = 3.0\n"
        "a, b = A(), B()\na.f(tf.ones([2]))\na.cool()\na.f(tf.ones([2]))\nprint(b.rate)"
    )
    assert changed_lines(HEAD + program, "GD215") == [
        "self.rate = tf.Variable(1.0, trainable=False)",
        "self.rate.assign(0.5)",
    ]


def test_the_last_way_is_to_let_the_graph_run_python() -> None:
    program = (
        "log = []\n@tf.function\ndef f(x):\n  y = x * 2.0\n  log.append(y)\n  return y\n"
        "for _ in range(3): f(tf.ones([2]))\nprint(log)"
    )
    assert changed_lines(HEAD + program, "GD202") == ["tf.py_function(log.append, [y], [])"]


def test_what_records_together_is_run_together() -> None:
    program = (
        "count = 0\nsizes = []\n@tf.function\ndef f(x):\n  global count\n  count += 1\n"
        "  sizes.append(count)\n  return x\nfor _ in range(3): f(tf.ones([2]))\nprint(count)"
    )
    assert ways(HEAD + program, "GD203")[-1].split("global count\n", 1)[1].split("  return")[0] == (
        "  def record():\n      global count\n      count += 1\n      sizes.append(count)\n\n"
        "  tf.py_function(record, [], [])\n"
    )


def test_what_a_call_gives_together_with_others_is_left_alone() -> None:
    program = (
        "def start(): return 1.0, 0\nclass A:\n  def __init__(self):\n    self.rate, self.size = start()\n"
        "  @tf.function\n  def f(self, x): return x * self.rate\n"
        "a = A()\na.f(tf.ones([2]))\na.rate = 0.5\na.f(tf.ones([2]))"
    )
    assert check(HEAD + program, "GD215")
    assert changed_lines(HEAD + program, "GD215") == []


LOG = (
    "class A:\n  def __init__(self): self.log = {}\n  @tf.function\n  def f(self, x):\n"
    "    y = x + 1.0\n    {}\n    return y\n  def begin(self): self.log = {}\n"
    "a = A()\nfor _ in range(3):\n  a.begin()\n  a.f(tf.ones([2]))\nprint(a.log)"
)


@pytest.mark.parametrize(
    ("start", "statement", "expected"),
    [
        ("[]", "self.log.append(y)", "tf.py_function(lambda y: self.log.append(y), [y], [])"),
        (
            "[]",
            "self.log.append(tf.reduce_sum(y))",
            "tf.py_function(lambda value: self.log.append(value), [tf.reduce_sum(y)], [])",
        ),
        (
            "{'a': []}",
            "for k in ('a',):\n      self.log[k].append(y)",
            "tf.py_function(lambda y, k=k: self.log[k].append(y), [y], [])",
        ),
    ],
)
def test_a_list_that_another_may_replace_is_looked_up_at_each_call(
    start: str, statement: str, expected: str
) -> None:
    program = HEAD + LOG.replace("{}", start, 1).replace("{}", statement, 1).replace("{}", start, 1)
    assert changed_lines(program, "GD202") == [expected]
