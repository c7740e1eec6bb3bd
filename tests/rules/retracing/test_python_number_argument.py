"""GD101: must not fire, must fire, and what the fix looks like."""

import pytest
from tests.checking import check, fixed, marked
from tests.making import judged, make_trace, tensor, value

from graphdoctor.model import Safety

RULE = "GD101"
TRACED = """
import tensorflow as tf

@tf.function
def step(x, k=0):
    return x * tf.cast(k, tf.float32)

"""


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(TRACED + "for i in range(9):\n    step(x, tf.constant(i))", id="a tensor"),
        pytest.param(TRACED + "for i in tf.range(9):\n    step(x, i)", id="tf.range gives tensors"),
        pytest.param(TRACED + "for i in range(3):\n    step(x, i)", id="few values"),
        pytest.param(
            TRACED
            + "import itertools\nfor x, k in itertools.product((1.0, 2.0), 'abcdefgh'):\n    step(x, k)",
            id="each combination of few",
        ),
        pytest.param(
            TRACED + "for i, k in [(1, 1), (2, 1), (3, 1), (4, 2), (5, 2)]:\n    step(tf.ones([3]) * i, k)",
            id="a column of few values",
        ),
        pytest.param(TRACED + "for i in range(9):\n    step(x, 7)", id="always the same"),
        pytest.param(TRACED + "for batch in batches:\n    step(batch)", id="the items of something unknown"),
        pytest.param(TRACED + "step(x, 3)", id="no loop"),
        pytest.param(TRACED + "step(x, 3)\nstep(x, 3)", id="the same number twice"),
        pytest.param(
            TRACED.replace("return x", "for _ in range(k):\n        x = x + 1.0\n    return x")
            + "step(tf.ones([2]), 3)\nstep(tf.ones([2]), 4)",
            id="each number has a graph of its own",
        ),
        pytest.param(
            TRACED.replace("return x", "x = x * [1.0, 2.0, 3.0][k]\n    return x")
            + "step(tf.ones([2]), 1)\nstep(tf.ones([2]), 2)",
            id="a number chooses what Python has",
        ),
        pytest.param(
            TRACED.replace("return x", "x = helper(x, k)\n    return x")
            + "step(tf.ones([2]), 1)\nstep(tf.ones([2]), 2)",
            id="unknown use of the number",
        ),
        pytest.param(
            TRACED + "def test_step():\n    step(tf.ones([2]), 1)\n    step(tf.ones([2]), 2)",
            id="two numbers, each in a test that nothing calls",
        ),
        pytest.param(
            TRACED + "if len(argv) > 1:\n    step(tf.ones([2]), 1)\nelse:\n    step(tf.ones([2]), 2)",
            id="one number or another",
        ),
        pytest.param(
            TRACED + "k = tf.Variable(0)\nfor i in range(9):\n    step(x, k)\n    k.assign_add(1)",
            id="a variable",
        ),
        pytest.param(
            TRACED + "for name in ['a', 'b', 'c', 'd', 'e', 'f']:\n    step(x, name)", id="not a number"
        ),
        pytest.param(
            "import tensorflow as tf\ndef step(x, k):\n    return x\nfor i in range(9):\n    step(x, i)",
            id="not traced",
        ),
        pytest.param(
            "import tensorflow as tf\n"
            "@tf.function(input_signature=[tf.TensorSpec([], tf.int32)])\n"
            "def step(k):\n    return k\nfor i in range(9):\n    step(i)",
            id="a signature makes it a tensor",
        ),
        pytest.param(
            "from mylib import function\n"
            "@function\ndef step(k):\n    return k\nfor i in range(9):\n    step(i)",
            id="another library's function",
        ),
        pytest.param(
            "import tensorflow as tf\ntf = fake()\n"
            "@tf.function\ndef step(k):\n    return k\nfor i in range(9):\n    step(i)",
            id="tf is something else here",
        ),
        pytest.param(
            TRACED + "def step(x, k):\n    return x\nfor i in range(9):\n    step(x, i)",
            id="the name was bound again",
        ),
        pytest.param(
            TRACED + "for i in range(9):\n    i = tf.constant(i)\n    step(x, i)", id="made a tensor first"
        ),
        pytest.param(TRACED + "for i in range(9):\n    step(*args, i)", id="after a star, who knows"),
        pytest.param(TRACED + "for i in range(9):\n    step(x, i)  # noqa: GD101", id="silenced"),
        pytest.param(
            TRACED + "data = tf.data.Dataset.range(16).batch(4)\nfor epoch in range(5):\n  n = 0\n"
            "  for b in data:\n    step(x, n)\n    n += 1",
            id="counts from zero in each epoch",
        ),
        pytest.param(TRACED + "list(map(lambda k: step(x, k), (1, 2)))", id="mapped over few"),
        pytest.param(TRACED + "list(map(lambda k: step(x, 7), range(20)))", id="mapped, always the same"),
        pytest.param(
            TRACED + "list(map(lambda k: step(x, tf.constant(k)), range(20)))", id="mapped, a tensor"
        ),
        pytest.param(
            TRACED + "list(filter(lambda k: step(x, 7), range(20)))", id="filtered, always the same"
        ),
        pytest.param(
            TRACED + "data = tf.data.Dataset.range(16).batch(4)\nlast = 0\nfor epoch in range(5):\n"
            "  for i, b in enumerate(data):\n    step(x, last)\n    last = i",
            id="the same few numbers in each epoch",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert marked(program, RULE) == []


FEW = [
    "k // 20", "int(k / 20)", "math.floor(k / 20)", "round(k / 40)", "round(k * 0.01)", "k >> 4", "k & 1",
    "k and 1", "max(0, 1 - k)", "min(k, 2)", "int(np.clip(k, 0, 1))", "int(np.floor(k / 20))",
    "int(np.searchsorted([10, 20], k))", "np.random.randint(0, 2)", "random.randint(5, 7)",
    "int(np.random.randint(0, 2, 9)[k % 9])",
    "int(tf.random.uniform([]) > 0.5)", "2 ** (k // 20)", "0.1 * 0.5 ** (k // 20)", "-(k % 2)",
    "int(np.mod(k, 2))", "float('12'[k % 2])", "len([q for q in range(k) if q > 37])",
]  # fmt: skip
MANY = [
    "k // 2", "int(k / 2)", "round(k / 40, 3)", "math.floor(k * 0.5)", "k >> 1", "k & 63", "k or 1",
    "max(0, 40 - k)", "max(1, k)", "int(np.clip(k, 0, 30))", "np.random.randint(0, 90)", "-k", "k / 20",
    "int(np.random.randint(0, 90, 9)[k % 9])",
    "len([q for q in range(k)])",
]  # fmt: skip
ALTERNATING = [
    ("n = 1", "n = -n"), ("n = 0", "n = (n + 1) % 2"), ("n = 1", "n = 3 - n"), ("n, m = 1, 2", "n, m = m, n"),
    ("n = 0.1", "n = max(n * 0.1, 0.01)"), ("n = 1", "n ^= 3"),
]  # fmt: skip
GOING_ON = [
    ("n = 1", "n = -n - 1 + 2 * k"), ("n = 0", "n = (n + 1) % 30"), ("n = 1", "n = n + 1"),
    ("n, m = 1, 2", "n, m = m, n + m"), ("n = 0.1", "n = max(n * 0.9, 0.001)"), ("n = 1", "n = -n * 2"),
]  # fmt: skip
COUNTED = TRACED + "import math, random\nimport numpy as np\n"


@pytest.mark.parametrize("number", FEW)
def test_a_number_that_is_rounded_or_bounded_to_a_few_is_silent(number: str) -> None:
    assert check(COUNTED + f"for k in range(40):\n    step(tf.ones([2]), {number})", RULE) == []


@pytest.mark.parametrize("number", MANY)
def test_a_number_that_is_rounded_or_bounded_to_many_is_reported(number: str) -> None:
    assert check(COUNTED + f"for k in range(40):\n    step(tf.ones([2]), {number})", RULE)


@pytest.mark.parametrize(("before", "iteration"), ALTERNATING)
def test_a_number_that_alternates_in_the_loop_is_silent(before: str, iteration: str) -> None:
    program = f"{COUNTED}{before}\nfor k in range(40):\n    step(tf.ones([2]), n)\n    {iteration}"
    assert check(program, RULE) == []


OF_AN_OBJECT = """
class Trainer:
    def __init__(self): self.n, self.m = 1, 2
    def step(self):
        step(tf.ones([2]), self.n)
        {item}
trainer = Trainer()
for k in range(40): trainer.step()
"""


@pytest.mark.parametrize(
    "iteration", ["self.n = -self.n", "self.n = 3 - self.n", "self.n, self.m = self.m, self.n"]
)
def test_an_attribute_that_a_method_alternates_is_silent(iteration: str) -> None:
    assert check(COUNTED + OF_AN_OBJECT.format(item=iteration), RULE) == []


@pytest.mark.parametrize(
    "iteration", ["self.n += 1", "self.n = self.n * 0.9", "self.n = -self.n - 1 + self.m * 3"]
)
def test_an_attribute_that_goes_on_is_reported(iteration: str) -> None:
    iteration = f"{iteration}; self.m += 1"
    assert check(COUNTED + OF_AN_OBJECT.format(item=iteration), RULE)


@pytest.mark.parametrize(("before", "iteration"), GOING_ON)
def test_a_number_that_goes_on_is_reported(before: str, iteration: str) -> None:
    program = f"{COUNTED}{before}\nfor k in range(40):\n    step(tf.ones([2]), n)\n    {iteration}"
    assert check(program, RULE)


# A list that is filled, a number and an object with one; and what happens under a condition.
FILLED = """
import collections
class Schedule:
    def __init__(self): self.n = 1.0
    def lower(self): self.n = max(0.01, self.n * 0.9)
    def end(self): self.n = 0.5
    def item(self): self.n = -self.n
class Memory:
    def __init__(self): self.kept = collections.deque(maxlen=99)
    def __len__(self): return len(self.kept)
memory, items, schedule, n, start = Memory(), [], Schedule(), 1.0, 9
for k in range(40):
    step(tf.ones([2]), {number})
    items.append(k)
    memory.kept.append(k)
    if {condition}: {change}
"""
LOWERED = [("n", "n *= 0.9"), ("n", "n = max(0.1, n - 0.01)"), ("schedule.n", "schedule.lower()")]


@pytest.mark.parametrize(("number", "change"), LOWERED)
@pytest.mark.parametrize(
    "condition",
    [
        "done",
        "k % 25 == 24",
        "k > 37",
        "k >= 50",
        "k < 3",
        "len(items) == 9",
        "k in (3, 5)",
    ],
)
def test_a_number_that_is_changed_now_and_then_is_silent(number: str, condition: str, change: str) -> None:
    program = FILLED.format(number=number, condition=condition, change=change)
    assert check(COUNTED + program, RULE) == []


@pytest.mark.parametrize("condition", ["k >= 9", "len(items) > 9"])
@pytest.mark.parametrize(
    ("number", "change"),
    [("n", "n = 0.5"), ("n", "n = -n"), ("schedule.n", "schedule.end()"), ("schedule.n", "schedule.item()")],
)
def test_a_number_that_a_lasting_condition_gives_few_values_is_silent(
    number: str, condition: str, change: str
) -> None:
    program = FILLED.format(number=number, condition=condition, change=change)
    assert check(COUNTED + program, RULE) == []


@pytest.mark.parametrize(("number", "change"), LOWERED)
@pytest.mark.parametrize(
    "condition",
    ["k >= 9", "9 < k", "k + 1 > start", "len(items) >= 9", "len(memory) >= 9", "len(memory.kept) > start"],
)
def test_a_number_that_is_lowered_from_some_iteration_on_is_reported(
    number: str, condition: str, change: str
) -> None:
    program = FILLED.format(number=number, condition=condition, change=change)
    assert [found.message for found in check(COUNTED + program, RULE)] == [
        f"each new value of the Python number `{number}` makes `step` trace again"
    ]


def test_a_list_that_is_begun_again_is_not_filled_for_ever() -> None:
    filled = FILLED.format(number="n", condition="len(items) >= 16", change="n *= 0.9; items = []")
    assert check(COUNTED + filled, RULE) == []
    filled = FILLED.format(number="n", condition="len(items) >= 16", change="n *= 0.9; items.clear()")
    assert check(COUNTED + filled, RULE) == []


# What is only printed while tracing makes no other graph.
PRINTED = (
    "import tensorflow as tf\n@tf.function\ndef train(n):\n    print('Tracing with {{}}'.format(n), n)\n"
    "    {}\ntrain(n=10)\ntrain(n=20)"
)


def test_a_number_that_is_printed_and_decides_about_the_graph_is_silent() -> None:
    assert check(PRINTED.format("for _ in range(n): tf.print('step')"), RULE) == []
    assert check(PRINTED.format("if max(n, 15) > 15: tf.print('step')"), RULE) == []


@pytest.mark.parametrize(
    ("line", "does"),
    [
        ("print('Tracing with {}'.format(n), n)", True),
        ("print(f'Tracing with {n}')", True),
        ("print('Tracing with {:d}'.format(n))", False),
        ("print(f'Tracing with {n:d}')", False),
        ("names.append('step {}'.format(n))", False),
    ],
)
def test_a_tensor_does_for_a_number_that_is_printed(line: str, does: bool) -> None:
    body = f"{line}\n    for _ in tf.range(n): pass"
    program = f"import tensorflow as tf\nnames = []\n@tf.function\ndef train(n):\n    {body}\n"
    (found,) = check(program + "for i in range(9): train(i)", RULE)
    assert found.fix is not None
    assert found.fix.title == ("Pass `tf.constant(i)`" if does else "Pass a tensor instead")


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (TRACED + "for i in range(9):\n    step(x, i)", "i"),
        (TRACED + "for i in range(n):\n    step(x, k=i + 1)", "i + 1"),
        (TRACED + "for i, batch in enumerate(data):\n    step(batch, i)", "i"),
        (TRACED + "i = 0\nwhile True:\n    step(x, i)\n    i += 1", "i"),
        (TRACED + "losses = [step(x, i) for i in range(100)]", "i"),
        (TRACED + "for i in range(9):\n    step(x, float(i) * 0.1)", "float(i) * 0.1"),
        (TRACED + "def train(n):\n    for i in range(n):\n        step(x, i)", "i"),
        (TRACED + "import itertools\nfor a, b in itertools.product((1, 2), range(9)):\n    step(x, b)", "b"),
        (TRACED + "import itertools as i\nfor a, b in i.product(range(9), repeat=2):\n    step(x, b)", "b"),
        (TRACED + "for a, b in [(1, 1), (1, 2), (1, 3), (1, 4), (1, 5)]:\n    step(x, b)", "b"),
        (TRACED.replace("import tensorflow as tf", "import tensorflow.compat.v2 as tf")
         + "for i in range(9):\n    step(x, i)", "i"),
        ("import tensorflow\n@tensorflow.function\ndef f(k):\n    return k\nfor i in range(9): f(i)", "i"),
        ("from tensorflow import function\n@function\ndef f(k): return k\nfor i in range(9): f(i)", "i"),
        ("from tensorflow import function as graph\n@graph(jit_compile=True)\ndef f(k): return k\n"
         "for i in range(9): f(i)", "i"),
        ("import functools, tensorflow as tf\n@functools.partial(tf.function, autograph=False)\n"
         "def f(k): return k\nfor i in range(9): f(i)", "i"),
        ("import tensorflow as tf\ndef f(k): return k\ng = tf.function(f)\nfor i in range(9): g(i)", "i"),
        ("import tensorflow as tf\nclass T:\n  @tf.function\n  def f(self, k): return k\n"
         "  def run(self):\n    for i in range(9): self.f(i)", "i"),
        ("import tensorflow as tf\nclass T:\n  @tf.function\n  def f(self, k): return k\n"
         "t = T()\nfor i in range(9): t.f(i)", "i"),
        (TRACED + "step(tf.ones([3]), 7)\nstep(tf.ones([3]), 11)", "11"),
        (TRACED + "def main():\n    step(tf.ones([3]), 7)\n    step(tf.ones([3]), k=11)\nmain()", "11"),
        (TRACED + "import numpy as np\nfor i in range(9):\n  step(np.random.randint(0, 9, size=4).tolist())",
         "np.random.randint(0, 9, size=4).tolist()"),
        (TRACED + "data = tf.data.Dataset.range(16).batch(4)\nn = 0\nfor epoch in range(2):\n"
         "  for b in data:\n    step(x, n)\n    n += 1", "n"),
        (TRACED + "class State:\n  rate = 1.0\nstate = State()\ndata = tf.data.Dataset.range(16).batch(4)\n"
         "for epoch in range(2):\n  for b in data:\n    step(x, k=state.rate)\n    state.rate *= 0.9",
         "state.rate"),
        (TRACED + "list(map(lambda k: step(x, k), range(20)))", "k"),
        (TRACED + "list(filter(lambda k: step(x, k) > 0, range(20)))", "k"),
        (PRINTED.format("for _ in tf.range(n): tf.print('step')"), "20"),
    ],
)  # fmt: skip
def test_must_fire(program: str, expected: str) -> None:
    assert marked(program, RULE) == [expected]


def test_two_numbers_are_two_findings() -> None:
    program = TRACED + "for i in range(9):\n    for j in range(9):\n        step(i, j)"
    assert [finding.argument for finding in check(program, RULE)] == ["x", "k"]


def test_fix_gives_the_dtype_of_what_it_is_computed_with() -> None:
    program = """
        import tensorflow as tf

        @tf.function
        def scale(x, k):
            return x * k

        x = tf.ones([3])
        for i in range(9):
            scale(x, i)  # keep this comment
        """
    assert fixed(program, RULE).endswith("    scale(x, tf.constant(i, tf.float32))  # keep this comment\n")


def test_fix_gives_a_summary_the_only_dtype_it_takes() -> None:
    program = """
        import tensorflow as tf

        @tf.function
        def step(x, epoch):
            tf.summary.scalar("loss", x, step=epoch)

        for epoch in range(9):
            step(tf.constant(1.0), epoch)
        """
    assert fixed(program, RULE).endswith("    step(tf.constant(1.0), tf.constant(epoch, tf.int64))\n")


@pytest.mark.parametrize(
    "body",
    ["return x * k", "return [x for _ in range(k)]", "return x if k > 3 else -x", "return helper(x, k)"],
)
def test_no_fix_where_a_tensor_might_not_do(body: str) -> None:
    program = f"import tensorflow as tf\n@tf.function\ndef f(x, k):\n    {body}\nfor i in range(9): f(x, i)"
    (finding,) = check(program, RULE)
    assert finding.fix is not None
    assert finding.fix.safety is Safety.MANUAL


def test_a_run_names_the_argument_the_values_and_the_cost() -> None:
    (finding,) = judged(RULE, *(make_trace(tensor("x", 3), value("k", n)) for n in range(5)), calls=5)
    assert finding.message == "`step` was traced 4 more times (2.0 s) because `k` is a Python number"
    assert (finding.path, finding.line, finding.argument) == ("train.py", 9, "k")
    assert finding.observed is not None
    assert (finding.observed.traces, finding.observed.needless) == (4, True)
    assert [(d.before, d.now) for d in finding.observed.differences] == [("3, 2, 1, 0", "4")]


@pytest.mark.parametrize("values", [(True, False), (1, 2), ("train", "test"), ("a", "b", "c")])
def test_a_run_with_few_values_is_a_choice(values: tuple[object, ...]) -> None:
    assert judged(RULE, *(make_trace(value("k", given)) for given in values)) == []
