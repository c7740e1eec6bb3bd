"""Draws, casts, lists, loops, texts and iterators that become operations; and those that do not."""

import operator

import pytest
from tests.checking import changed_lines, check, ways
from tests.running import TensorFlowServer

from graphdoctor.refactoring.calls.numpy_functions import AS_NUMPY, SAME

HEAD = "import random\nimport numpy as np\nimport tensorflow as tf\n"
LOOP = "\nfor _ in range(9): f(tf.ones([2, 3]))"


@pytest.mark.parametrize(
    ("draw", "expected"),
    [
        ("random.uniform(-1, 1)", "tf.random.uniform([], -1, 1)"),
        ("random.gauss(0.0, sigma=2.0)", None),
        ("random.gauss(0.0, 2.0)", "tf.random.normal([], 0.0, 2.0)"),
        ("random.randint(1, 6)", "tf.random.uniform([], 1, 6 + 1, tf.int32)"),
        ("random.randrange(5)", "tf.random.uniform([], 0, 5, tf.int32)"),
        ("np.random.randn(2, 3).astype('float32')", "tf.random.normal([2, 3])"),
        (
            "np.random.normal(size=x.shape).astype(np.float64)",
            "tf.random.normal(tf.shape(x), dtype=tf.float64)",
        ),
        ("np.random.uniform(0.5, 1.5, (2, 3))", "tf.random.uniform([2, 3], 0.5, 1.5)"),
        ("tf.constant(np.random.rand(3), tf.float32)", "tf.random.uniform([3])"),
        ("np.random.binomial(1, 0.5, size=3)", "tf.cast(tf.random.uniform([3]) < 0.5, tf.int32)"),
        ("np.random.permutation(9)", "tf.random.shuffle(tf.range(9))"),
        ("np.random.beta(0.001, 0.001)", None),
        ("np.random.dirichlet([1.0, 2.0])", None),
        ("np.random.choice(5, (2, 3), p=weights)", None),
        ("np.random.choice(x, 3, replace=flag)", None),
        ("np.random.choice(9, count, replace=False)", None),
        ("random.sample(layers, 2)", None),
        ("random.sample(['a', 'b'], 2)", None),
        ("random.triangular(0.0, 1.0)", None),
        ("np.random.beta(1.0, 2.0)", "1.0 / (1.0 + tf.random.gamma([], 2.0) / tf.random.gamma([], 1.0))"),
        (
            "x / random.betavariate(a, b)",
            "x / (1.0 / (1.0 + tf.random.gamma([], b) / tf.random.gamma([], a)))",
        ),
        ("x / np.random.exponential(a + b)", "x / (tf.random.gamma([], 1.0) * (a + b))"),
        ("tf.exp(np.random.gamma(2.0, 0.5, 3))", "tf.exp(tf.random.gamma([3], 2.0) * 0.5)"),
        ("np.random.exponential().astype('float64')", "tf.cast(tf.random.gamma([], 1.0), tf.float64)"),
        (
            "np.random.choice(5, p=weights)",
            "tf.random.categorical(tf.math.log([weights]), 1, tf.int32)[0, 0]",
        ),
        ("np.random.choice(9, 4, replace=False)", "tf.random.shuffle(tf.range(9))[:4]"),
        ("np.random.permutation(x.shape[0])", "tf.random.shuffle(tf.range(tf.shape(x)[0]))"),
        ("random.sample(range(9), 2)", "tf.random.shuffle(tf.range(9))[:2]"),
    ],
)
def test_drawn_by_tensorflow(draw: str, expected: str | None) -> None:
    program = f"{HEAD}@tf.function\ndef f(x):\n    y = {draw}\n    return x, y{LOOP}"
    assert drawn_lines(program) == ([f"y = {expected}"] if expected else [])


def drawn_lines(program: str) -> list[str]:
    """The lines of the likeliest way; what is drawn before the graph begins is another one."""
    (finding, *_) = check(program, "GD208")
    return changed_lines(program, "GD208") if finding.fix is not None and finding.fix.edits else []


DRAWS = (
    "np.random.beta(0.4, 0.4)",
    "np.random.beta(2.0, 5.0)",
    "np.random.gamma(0.5, 3.0)",
    "random.gammavariate(2.0, 3.0)",
    "random.expovariate(4.0)",
    "np.random.standard_exponential()",
    "np.random.chisquare(3)",
    "np.random.laplace(1.0, 2.0)",
    "np.random.laplace()",
    "np.random.gumbel(1.0, 2.0)",
    "np.random.gumbel()",
    "np.random.lognormal(0.5, 0.25)",
    "np.random.choice(3, p=[0.2, 0.5, 0.3])",
)
SAME_DISTRIBUTION = """
tf.random.set_seed(1); np.random.seed(1); random.seed(1)
before = np.sort([float({before}) for _ in range(4000)])
draws = tf.function(lambda: tf.map_fn(lambda _: tf.cast({after}, tf.float32), tf.zeros([4000])))
after = np.sort(draws().numpy())
quantiles = np.arange(100, 4000, 200)
print(np.abs(before[quantiles] - after[quantiles]).max() < 0.25 * before.std())
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("draw", DRAWS)
def test_drawn_from_the_same_distribution(draw: str, tensorflow: TensorFlowServer) -> None:
    program = f"{HEAD}@tf.function\ndef f(x):\n    y = {draw}\n    return x, y{LOOP}"
    (line,) = changed_lines(program, "GD208")
    ran = tensorflow.run(HEAD + SAME_DISTRIBUTION.format(before=draw, after=line.removeprefix("y = ")))
    assert (ran.error, ran.output.strip()) == (None, "True")


ORDER = "@tf.function\ndef f(x):\n    order = {made}\n    {shuffle}(order)\n    {use}"


@pytest.mark.parametrize(
    ("made", "shuffle", "use", "expected"),
    [
        ("[tf.sin, tf.cos]", "random.shuffle", "return tf.stack([each(x) for each in order])", False),
        ("np.arange(2)", "np.random.shuffle", "return [x[i] for i in order]", False),
        ("np.arange(2)", "np.random.shuffle", "return tf.gather(x, order), order[0]", False),
        ("np.arange(2)", "np.random.shuffle", "order = order + 1\n    return tf.gather(x, order)", False),
        ("make()", "np.random.shuffle", "return tf.gather(x, order)", False),
        ("np.arange(2)", "np.random.shuffle", "return tf.gather(x, order)", True),
        ("list(range(2))", "random.shuffle", "return tf.gather(x, order)", True),
    ],
)
def test_an_order_is_shuffled(made: str, shuffle: str, use: str, expected: bool) -> None:
    program = HEAD + ORDER.format(made=made, shuffle=shuffle, use=use) + LOOP
    assert check(program, "GD208")
    lines = ["order = tf.random.shuffle(order)"] if expected else []
    assert drawn_lines(program) == lines


@pytest.mark.parametrize(
    "program",
    [
        "class A:\n  def __init__(self): self.rng = np.random.default_rng(0)\n  def draw(self):\n"
        "    return self.rng.normal(0.0, 2.0)\n  @tf.function\n  def f(self, x): return x + self.draw()\n"
        "a = A()\nfor _ in range(9): a.f(tf.ones([2]))",
        "def make():\n  rng = np.random.RandomState(0)\n  @tf.function\n  def f(x):\n"
        "    return x + rng.normal(0.0, 2.0)\n  return f\ng = make()\nfor _ in range(9): g(tf.ones([2]))",
        "data = tf.data.Dataset.range(9).map(lambda x: np.random.normal(0.0, 2.0))\nfor x in data: pass",
    ],
    ids=["an attribute", "a closure", "a pipeline"],
)
def test_a_generator_written_otherwise(program: str) -> None:
    (line,) = changed_lines(HEAD + program, "GD208")
    assert "tf.random.normal([], 0.0, 2.0)" in line


def test_a_dtype_is_given_where_the_tensor_is_made_or_cast() -> None:
    program = "@tf.function\ndef f(x): return x\nfor a in (np.ones(2), np.ones(2, np.float32)): f({})"
    assert changed_lines(HEAD + program.format("tf.constant(a)"), "GD111")[0].endswith(
        "f(tf.constant(a, tf.float32))"
    )
    assert changed_lines(HEAD + program.format("a"), "GD111")[0].endswith("f(tf.cast(a, tf.float32))")
    assert changed_lines(HEAD + program.format("a"), "GD111", 1)[0].endswith("f(tf.cast(a, tf.float64))")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return tf.add_n(rows)", "return tf.reduce_sum(rows, axis=0)"),
        ("return tf.stack(rows) * len(rows)", "return rows * tf.shape(rows)[0]"),
        ("for row in reversed(rows): tf.print(row)", "for row in rows[::-1]: tf.print(row)"),
    ],
)
def test_a_list_is_stacked(body: str, expected: str) -> None:
    program = (
        f"@tf.function\ndef f(rows):\n    {body}\nrows = []\n"
        "for _ in range(9):\n    rows.append(tf.ones([2]))\n    f(rows)"
    )
    assert changed_lines(HEAD + program, "GD114") == [
        "@tf.function(reduce_retracing=True)",
        expected,
        "f(tf.stack(rows))",
    ]


@pytest.mark.parametrize("body", ["return tf.concat(rows, 0)", "return [row for row in rows]"])
def test_a_list_that_the_function_needs_stays(body: str) -> None:
    program = (
        f"@tf.function\ndef f(rows):\n    {body}\nrows = []\n"
        "for _ in range(9):\n    rows.append(tf.ones([2]))\n    f(rows)"
    )
    assert ways(HEAD + program, "GD114") == []


@pytest.mark.parametrize(
    ("body", "edited"),
    [
        ("x = x * 0.9 + 0.1", True),
        ("x = x * 0.9 + WEIGHTS[step]", False),
        ("kept.append(x * 0.9 + 0.1)", False),
    ],
)
def test_a_loop_over_a_range(body: str, edited: bool) -> None:
    program = (
        "WEIGHTS = [0.1] * 300\n@tf.function\ndef f(x):\n    kept = []\n    for step in range(300):\n"
        f"        {body}\n    return x, kept\nf(tf.ones([2]))"
    )
    expected = ["for step in tf.range(300):"] if edited else []
    assert changed_lines(HEAD + program, "GD120") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("tf.constant(f'a {x} b {x + 1}')", 'tf.strings.format("a {} b {}", (x, x + 1))'),
        ("tf.constant(str(x))", 'tf.strings.format("{}", x)'),
        ("tf.constant('a {}'.format(x))", 'tf.strings.format("a {}", x)'),
        ("tf.constant(f'a {x!r}')", None),
    ],
)
def test_a_text_is_made_by_the_graph(text: str, expected: str | None) -> None:
    program = f"{HEAD}@tf.function\ndef f(x):\n    return {text}{LOOP}"
    assert changed_lines(program, "GD211") == ([f"return {expected}"] if expected else [])


def test_a_printed_text() -> None:
    program = f"{HEAD}@tf.function\ndef f(x):\n    print(f'x is {{x}}, really')\n    return x{LOOP}"
    assert changed_lines(program, "GD219") == ['tf.print("x is ", x, ", really", sep="")']
    assert changed_lines(program, "GD219", 1)[-1] == "tf.py_function(record, [x], [])"


def test_an_iterator_is_asked_at_each_call() -> None:
    program = (
        "class A:\n  def __init__(self): self.noise = iter([1.0, 2.0, 3.0])\n  @tf.function\n"
        "  def f(self, x): return x + next(self.noise)\na = A()\nfor _ in range(3): a.f(tf.ones([2]))"
    )
    assert changed_lines(HEAD + program, "GD210", way=1) == [
        "def f(self, x): return x + tf.py_function(lambda: next(self.noise), [], tf.float32)"
    ]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        ("@tf.function\ndef f(x): return x\ng = f", "@tf.function(reduce_retracing=True)"),
        ("def f(x): return x\ng = tf.function(f)", "g = tf.function(f, reduce_retracing=True)"),
        (
            "class A:\n  def __init__(self):\n    self.g = tf.function(lambda x: x, autograph=False)\n"
            "g = A().g",
            "self.g = tf.function(lambda x: x, autograph=False, reduce_retracing=True)",
        ),
    ],
)
def test_shapes_are_relaxed_where_the_function_is_made(made: str, expected: str) -> None:
    program = f"{HEAD}{made}\nfor n in range(1, 9): g(tf.ones([n]))"
    assert changed_lines(program, "GD103") == [expected]


@pytest.mark.tensorflow
def test_numpy_functions_stand_for_some_that_tensorflow_has() -> None:
    import tensorflow

    has = operator.attrgetter(*SAME.values(), *(f"experimental.numpy.{name}" for name in AS_NUMPY))
    assert all(map(callable, has(tensorflow)))


PROGRESS = """
class Progress:
    def tell(self, **values):
        text = "  ".join(f"{k}={v}" for k, v in values.items())
        print(f"[{type(self).__name__}] {text}")

progress = Progress()
@tf.function
def f(x):
    y = tf.reduce_mean(x)
    progress.tell(mean=y)
    return y
for _ in range(3): f(tf.ones([2]))
"""


def test_a_text_that_tracing_has_written_is_no_tensor_and_who_asked_for_it_is_run() -> None:
    assert changed_lines(HEAD + PROGRESS, "GD201", way=1) == [
        "def record(y):", "progress.tell(mean=y)", "tf.py_function(record, [y], [])",
    ]  # fmt: skip


MEMBERS = """
class Member(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.mean = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.mean(x)

@tf.function
def predict(member, x):
    return tf.exp(member(x))

def fit(member, data):
    return predict(member, data)

for each in [Member(), Member()]:
    fit(each, tf.ones([2, 3]))
"""


def test_a_model_is_called_before_a_graph_function_that_others_have_used() -> None:
    assert changed_lines(HEAD + MEMBERS, "GD401") == ["if not member.built:", "member(data)"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param("member(x)", "member(x * 2.0)", id="of what the graph computes"),
        pytest.param("predict(member, data)", "predict(member, data * 2.0)", id="of what the call computes"),
        pytest.param(
            "predict(member, data)", "[predict(m, data) for m in [member]]", id="in a comprehension"
        ),
    ],
)
def test_a_model_is_not_called_with_what_is_not_at_hand(before: str, after: str) -> None:
    assert changed_lines(HEAD + MEMBERS.replace(before, after), "GD401") == []


STORE = """
class Store:
    def __init__(self): self.params = {}

    def get(self, name, make):
        self.params[name] = tf.Variable(make(), name=name)
        return self.params[name]

store = Store()
@tf.function
def step(x):
    return x * store.get("w", lambda: tf.ones([2])) + store.get("b", lambda: tf.zeros([2]))
for _ in range(3): step(tf.ones([2]))
"""


def test_a_variable_that_is_kept_under_its_name_is_made_once_for_each() -> None:
    assert changed_lines(HEAD + STORE, "GD401") == [
        "if name not in self.params:", "self.params[name] = tf.Variable(make(), name=name)",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "def get(self, name, make):", "def get(self, name, make):\n        kept = {}", id="a dict"
        ),
        pytest.param(
            "self.params[name]", "self.params[self.next()]", id="a key that is another one each time"
        ),
    ],
)
def test_what_no_lasting_dict_keeps_is_not_asked_for(before: str, after: str) -> None:
    program = STORE.replace(before, after)
    if "kept" in after:
        program = program.replace("self.params[name]", "kept[name]")
    assert not any("not in" in line for line in changed_lines(HEAD + program, "GD401"))


PLAYERS = """
class Player:
    def __init__(self, net):
        self.opt = tf.keras.optimizers.Adam()
        self.net = net

    @property
    def weights(self): return self.net.trainable_variables

def mlp(): return tf.keras.Sequential([tf.keras.layers.Input((2,)), tf.keras.layers.Dense(1)])

@tf.function
def play(player, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(player.net(x))
    player.opt.apply_gradients(zip(tape.gradient(loss, player.weights), player.weights))
    return loss

players = [Player(mlp()), Player(mlp())]
for player in players: play(player, tf.ones([2, 2]))
"""


def test_an_optimizer_is_built_by_the_object_that_has_it() -> None:
    assert changed_lines(HEAD + PLAYERS, "GD403") == ["self.opt.build(self.weights)"]


def test_an_optimizer_is_not_built_of_what_the_step_is_given() -> None:
    given = PLAYERS.replace("player, x)", "player, x, own)").replace("player.weights", "own")
    given = given.replace("play(player, tf.ones([2, 2]))", "play(player, tf.ones([2, 2]), player.weights)")
    assert changed_lines(HEAD + given, "GD403") == []


DEFAULT = """
def total(rows, {}running=0):
    for row in rows:
        running = tf.reduce_mean(row) + running
    return running

@tf.function
def f(x): return total(x)
f(tf.ones([3, 2]))
"""


@pytest.mark.parametrize("star", ["", "*, "])
def test_a_loop_that_starts_from_a_default_starts_from_a_float(star: str) -> None:
    assert changed_lines(HEAD + DEFAULT.format(star), "GD306") == [f"def total(rows, {star}running=0.0):"]


def test_a_default_that_the_call_replaces_stays() -> None:
    assert changed_lines(HEAD + DEFAULT.format("").replace("total(x)", "total(x, 0)"), "GD306") == []
