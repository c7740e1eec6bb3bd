"""Python numbers that become tensors where they are given: which, with which dtype, and where not."""

import pytest
from tests.checking import changed_lines, check, ways

HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        pytest.param(
            "class A:\n  def __init__(self): self.rate = 1.0\n  @tf.function\n"
            "  def f(self, x, rate): return x * rate\n  def run(self, x):\n    self.f(x, self.rate)\n"
            "    self.rate = self.rate * 0.9\na = A()\nfor _ in range(9): a.run(tf.ones([2]))",
            "self.f(x, tf.constant(self.rate, tf.float32))",
            id="an attribute",
        ),
        pytest.param(
            "def make():\n  w = tf.Variable(2.0)\n  @tf.function\n  def f(k): return w * k\n"
            "  for i in range(9): f(i)\nmake()",
            "for i in range(9): f(tf.constant(i, tf.float32))",
            id="a closure",
        ),
        pytest.param(
            "class A:\n  def __init__(self): self.g = tf.function(self.f)\n"
            "  def f(self, x, k): return self.h(x, k)\n  def h(self, x, k): return tf.gather(x, k)\n"
            "a = A()\nfor i in range(9): a.g(tf.ones([9]), i)",
            "for i in range(9): a.g(tf.ones([9]), tf.constant(i))",
            id="a method, through a helper",
        ),
        pytest.param(
            "@tf.function\ndef f(x, o): return x * o['scale']\n"
            "for i in range(9): f(tf.ones([2]), {'scale': i * 0.5})",
            "for i in range(9): f(tf.ones([2]), {'scale': tf.constant(i * 0.5, tf.float32)})",
            id="an entry of a dict",
        ),
        pytest.param(
            "from collections import namedtuple\nP = namedtuple('P', 'a b')\n"
            "@tf.function\ndef f(x, p): return x * p.b\ndef make(i): return P(1.0, i * 0.5)\n"
            "for i in range(9): f(tf.ones([2]), make(i))",
            "def make(i): return P(1.0, tf.constant(i * 0.5, tf.float32))",
            id="a field of a named tuple, made by a function",
        ),
        pytest.param(
            "@tf.function\ndef f(x, pair): return x * pair[1]\n"
            "for i in range(9): f(tf.ones([2]), (1, i * 0.5))",
            "for i in range(9): f(tf.ones([2]), (1, tf.constant(i * 0.5, tf.float32)))",
            id="an element of a tuple",
        ),
        pytest.param(
            "@tf.function\ndef f(x, label): return x\nfor i in range(9): f(tf.ones([2]), 'no %d' % i)",
            "for i in range(9): f(tf.ones([2]), tf.constant('no %d' % i))",
            id="a text that nobody reads",
        ),
        pytest.param(
            "@tf.function\ndef f(x, scale): return x * scale\n"
            "for i in range(9):\n  given = {'scale': i * 0.5}\n  f(tf.ones([2]), **given)",
            'f(tf.ones([2]), **{**given, "scale": tf.constant(given["scale"], tf.float32)})',
            id="behind two stars",
        ),
        pytest.param(
            "@tf.function\ndef f(x, scale): return x * scale\ndef given(i): return {'scale': i * 0.5}\n"
            "for i in range(9): f(tf.ones([2]), **given(i))",
            "def given(i): return {'scale': tf.constant(i * 0.5, tf.float32)}",
            id="behind two stars, made by a function",
        ),
        pytest.param(
            "@tf.function\ndef f(x, scale, power): return (x * scale) ** power\n"
            "given = {'power': 2.0}\nfor i in range(9): f(tf.ones([2]), i * 0.5, **given)",
            "for i in range(9): f(tf.ones([2]), tf.constant(i * 0.5, tf.float32), **given)",
            id="beside two stars",
        ),
    ],
)
def test_given_as_a_tensor(program: str, expected: str) -> None:
    assert changed_lines(HEAD + program, "GD101") == [expected]


def test_all_numbers_of_a_call_at_once() -> None:
    program = (
        HEAD + "@tf.function\ndef f(x, a, b): return x * a + b\n"
        "for i in range(9): f(tf.ones([2]), i * 0.5, i + 0.25)"
    )
    given = "tf.constant(i * 0.5, tf.float32), tf.constant(i + 0.25, tf.float32)"
    assert len({frozenset(finding.fixes[0].edits) for finding in check(program, "GD101")}) == 1
    assert changed_lines(program, "GD101") == [f"for i in range(9): f(tf.ones([2]), {given})"]


def test_all_numbers_of_a_dict_at_once() -> None:
    program = (
        HEAD + "@tf.function\ndef f(x, a, b): return x * a + b\n"
        "for i in range(9):\n  given = {'a': i * 0.5, 'b': i + 0.25}\n  f(tf.ones([2]), **given)"
    )
    entries = '"a": tf.constant(given["a"], tf.float32), "b": tf.constant(given["b"], tf.float32)'
    assert changed_lines(program, "GD101") == ["f(tf.ones([2]), **{**given, " + entries + "})"]


def test_a_guess_is_offered_to_be_tried_and_not_as_the_fix() -> None:
    program = HEAD + "@tf.function\ndef f(x, k): return x * k\nfor i in range(9): f(x, i)"
    (finding,) = check(program, "GD101")
    assert finding.fix is not None
    assert (finding.fix.edits, len(finding.alternatives)) == ((), 2)
    assert [text.splitlines()[-1] for text in ways(program, "GD101")] == [
        "for i in range(9): f(x, tf.constant(i, tf.float32))",
        "for i in range(9): f(x, tf.constant(i))",
    ]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("return [x for _ in range(k)]", "`range(k)` is written out iteration by iteration"),
        ("return tf.split(x, k)", "`tf.split` needs it in Python"),
        ("return tf.reduce_sum(x, axis=k)", "`tf.reduce_sum(x, axis=k)` needs it in Python"),
        ("return x * [1.0, 2.0][k]", "`[1.0, 2.0][k]` needs it in Python"),
        ("return x * math.sqrt(k)", "`math.sqrt` needs it in Python"),
        ("return x if k is None else -x", "`k is None` needs it in Python"),
        ("return tf.constant(f'{k}')", "`f'{k}'` needs it in Python"),
        ("if k > 3: return x\n    return x, -x", "`if k > 3: return x` is decided in Python"),
        ("if k > 3: return x\n    x = x * 2\n    return x", "`if k > 3: return x` is decided in Python"),
        ("if k > 3: y = x\n    else: z = x\n    return x", "`if k > 3: y = x` is decided in Python"),
    ],
)
def test_a_number_that_python_needs_is_left_and_why_is_said(body: str, why: str) -> None:
    program = (
        f"{HEAD}import math\n@tf.function\ndef f(x, k):\n    {body}\nfor i in range(9): f(tf.ones([9]), i)"
    )
    (finding,) = check(program, "GD101")
    assert finding.fixes == ()
    assert [related.message for related in finding.related] == [f"a tensor does not work here: {why}"]


@pytest.mark.parametrize(
    "body",
    [
        "if k > 3: return x\n    return -x",
        "if k > 3: return x, k\n    else: return -x, k",
        "if k > 3: y = x\n    else: y = -x\n    return y",
    ],
    ids=["two returns", "two tuples", "one name, first given there"],
)
def test_a_number_may_decide_where_both_ways_end_alike(body: str) -> None:
    program = f"{HEAD}@tf.function\ndef f(x, k):\n    {body}\nfor i in range(9): f(tf.ones([9]), i)"
    assert ways(program, "GD101")[0].rstrip().endswith("f(tf.ones([9]), tf.constant(i))")
