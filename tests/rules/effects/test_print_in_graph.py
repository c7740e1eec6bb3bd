"""GD201 and GD219: must not fire, must fire."""

import pytest
from tests.checking import check, fixed

from graphdoctor.model import Safety, Severity

RULE, ONCE_ONLY = "GD201", "GD219"
HEAD = "from elsewhere import settings\nimport tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param("def f(x): print(x)", id="not traced"),
        pytest.param("@tf.function\ndef f(x): tf.print(x)", id="the right one"),
        pytest.param("@tf.function\ndef f(x): print('Tracing with', x)", id="reports tracing"),
        pytest.param("@tf.function\ndef f(x): print(f'retraced for {x}')", id="reports tracing, f-string"),
        pytest.param("@tf.function\ndef f(x): return x\nprint(f(1))", id="outside"),
        pytest.param("@tf.function\ndef f(x): print('x', x.shape, x.dtype)", id="only what is static"),
        pytest.param("@tf.function\ndef f(x, ys): print(type(x), len(ys), x.dtype)", id="types and lengths"),
        pytest.param("from rich import print\n@tf.function\ndef f(x): print(x)", id="another print"),
        pytest.param("@tf.function\ndef f(x, print): print(x)", id="a parameter called print"),
        pytest.param("@tf.function\ndef f(x): log.print(x)", id="a method called print"),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + program, RULE, ONCE_ONLY) == []


NO_TENSOR = {
    "a text": "@tf.function\ndef f(x):\n  print('hello')\n  return x",
    "a flag": "@tf.function\ndef f(x, training):\n  print('training', training)\n  return x\n"
    "f(tf.ones(2), True)",
    "a flag that is unknown": "@tf.function\ndef f(x, many):\n  print('many', many)\n  return x\n"
    "f(tf.ones(2), many=settings['many'])",
    "a setting": "import settings\n@tf.function\ndef f(x):\n  print(f'rate {settings.rate}')\n  return x",
    "a type": "@tf.function\ndef f(x):\n  print('gets', type(x), isinstance(x, list))\n  return x + 1",
    "a list of numbers": "@tf.function\ndef f(x):\n  print([len(str(n)) for n in range(settings.n)])\n"
    "  return x",
    "what a layer is called": "d = tf.keras.layers.Dense(1)\n@tf.function\ndef f(x):\n"
    "  print(d.name, 'runs')\n  return d(x)",
    "a number of Python's that is counted": "class M(tf.Module):\n  steps = 0\n  @tf.function\n"
    "  def f(self, x):\n    self.steps += 1\n    print(self.steps)\n    return x",
}


@pytest.mark.parametrize("program", NO_TENSOR.values(), ids=NO_TENSOR)
def test_what_shows_no_tensor_is_a_note(program: str) -> None:
    assert {finding.severity for finding in check(HEAD + program, RULE, ONCE_ONLY)} <= {Severity.NOTE}


TENSOR = {
    "a loss": "@tf.function\ndef f(x):\n  loss = tf.reduce_sum(x)\n  print('loss', loss)\n  return loss",
    "in a text": "@tf.function\ndef f(x):\n  print(f'sum {tf.reduce_sum(x)}')\n  return x",
    "in a text, as a text": "@tf.function\ndef f(x):\n  print(f'sum {tf.norm(x)!s:>9}')\n  return x",
    "in a list": "@tf.function\ndef f(x):\n  print('of two', [tf.norm(x), x])\n  return x",
    "in a list of any length": "@tf.function\ndef f(x):\n  print([tf.norm(x) for _ in settings])\n  return x",
    "a result, one of two": "@tf.function\ndef f(x, y):\n  z = tf.norm(x) if settings.many else None\n"
    "  print(z)\n  return x",
    "a loss of an unknown": "measure = tf.losses.BinaryCrossentropy()\n@tf.function\n"
    "def f(model, x, y):\n  print(measure(y, model(x)))\n  return x",
    "a Variable": "v = tf.Variable(1.0)\n@tf.function\ndef f(x):\n  v.assign_add(x)\n  print(v)\n  return x",
    "in a layer": "class L(tf.keras.layers.Layer):\n  def call(self, x):\n    print(tf.reduce_mean(x))\n"
    "    return x\nm = tf.keras.Sequential([L()])\nm.compile('sgd', 'mse')\n"
    "m.fit(tf.ones([2, 1]), tf.ones([2, 1]))",
}
ARRAYS = {
    "what an unknown model gives": "@tf.function\ndef f(model, x):\n  y = tf.one_hot(x, 3)\n"
    "  z = model([y])\n  print(z)\n  return z",
    "a counter": "@tf.function\ndef f(x):\n  n = tf.size(x)\n  print('of', n)\n  return x",
    "in a layer": "class L(tf.keras.layers.Layer):\n  def call(self, x):\n    print(x)\n    return x\n"
    "m = tf.keras.Sequential([L()])\nm.compile('sgd', 'mse')\nm.fit(tf.ones([2, 1]), tf.ones([2, 1]))",
    "the name of a file": "def load(path):\n  print(path)\n  return tf.io.read_file(path)\n"
    "ds = tf.data.Dataset.list_files('*.png').map(load)",
    "a tensor for its shape": "@tf.function\ndef f(model, x):\n  print('shape', model([x + 1]))\n  return x",
    "a row in a text": "@tf.function\ndef f(x):\n  print(f'got {x}')\n  return x\nf(tf.ones([3]))",
}


FORMATTED = (
    "f'sum {tf.reduce_sum(x):.3f}'",
    "'sum %.3f' % tf.reduce_sum(x)",
    "'{:.3f}'.format(tf.reduce_sum(x))",
)
SHOWN = (
    "'%d %s' % (3, tf.reduce_sum(x))",
    "'{} {:>5}'.format(tf.reduce_sum(x), 3)",
    "'{!s:>9}'.format(tf.reduce_sum(x))",
)


@pytest.mark.parametrize("text", FORMATTED)
def test_what_python_is_to_format_raises(text: str) -> None:
    (finding,) = check(HEAD + f"@tf.function\ndef f(x):\n  print({text})\n  return x\nf(tf.ones(2))", RULE)
    assert finding.severity is Severity.ERROR
    assert finding.message == "a symbolic tensor cannot be formatted: it has no value while `f` is traced"


@pytest.mark.parametrize("text", SHOWN)
def test_what_python_shows_by_its_name_does_not_raise(text: str) -> None:
    (finding,) = check(HEAD + f"@tf.function\ndef f(x):\n  print({text})\n  return x", RULE)
    assert finding.severity is Severity.WRONG


@pytest.mark.parametrize("program", TENSOR.values(), ids=TENSOR)
def test_what_shows_a_tensor_is_wrong(program: str) -> None:
    assert [finding.severity for finding in check(HEAD + program, RULE, ONCE_ONLY)] == [Severity.WRONG]


@pytest.mark.parametrize("program", ARRAYS.values(), ids=ARRAYS)
def test_what_is_no_single_number_is_a_note(program: str) -> None:
    assert [finding.severity for finding in check(HEAD + program, RULE, ONCE_ONLY)] == [Severity.NOTE]


@pytest.mark.parametrize(
    "program",
    [
        "@tf.function\ndef f(x): print(x)",
        "@tf.function(jit_compile=True)\ndef f(x):\n  if x > 0:\n    print('yes')",
        "class M(tf.Module):\n  @tf.function\n  def f(self, x): print(x)",
        "def f(x): print(x)\ng = tf.function(f)",
        "g = tf.function(lambda x: print(x))",
        "@tf.function\ndef f(x):\n  def inner(y): print(y)\n  inner(x)",
    ],
)
def test_must_fire(program: str) -> None:
    assert len(check(HEAD + program, RULE, ONCE_ONLY)) == 1


ONCE = {
    "returns from a cache": "cache = {}\n@tf.function\ndef f(k):\n  if k in cache:\n    return cache[k]\n"
    "  print('loading')\n  cache[k] = 1\n  return 1",
    "fills a cache": "cache = {}\n@tf.function\ndef f(k):\n  if k not in cache:\n    print('loading')\n"
    "    cache[k] = 1\n  return cache[k]",
    "makes what is missing": "class M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
    "    if self.table is None:\n      print('building')\n      self.table = {}",
    "tells it once": "class M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
    "    if not self.done:\n      print('hello')\n      self.done = True",
    "a global flag": "done = False\n@tf.function\ndef f(x):\n  global done\n  if not done:\n"
    "    print('hello')\n    done = True",
    "in the other arm": "class M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
    "    if self.table is not None:\n"
    "      y = 1\n    else:\n      print('building')\n      self.table = {}",
}


@pytest.mark.parametrize("program", ONCE.values(), ids=ONCE)
def test_what_python_would_run_once_as_well_is_left_alone(program: str) -> None:
    assert check(HEAD + program, RULE, ONCE_ONLY) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(ONCE["fills a cache"].replace("cache[k] = 1", "pass"), id="nothing is remembered"),
        pytest.param(
            ONCE["returns from a cache"]
            .replace("cache = {}\n", "")
            .replace("def f(k):", "def f(k):\n  cache = {}"),
            id="its own dict",
        ),
        pytest.param(ONCE["tells it once"].replace("'hello'", "tf.norm(x)"), id="shows a tensor"),
        pytest.param(
            ONCE["tells it once"].replace("not self.done", "self.done"),
            id="each time after the first",
        ),
    ],
)
def test_what_only_looks_as_if_it_ran_once(program: str) -> None:
    assert len(check(HEAD + program, RULE, ONCE_ONLY)) == 1


def test_three_prints_are_three_findings() -> None:
    assert len(check(HEAD + "@tf.function\ndef f(x):\n" + "  print(x)\n" * 3, ONCE_ONLY)) == 3


def test_fix_keeps_options_that_tf_print_has() -> None:
    program = HEAD + "@tf.function\ndef f(x):\n    print('a', x, sep='')  # why\n"
    assert fixed(program, RULE, ONCE_ONLY).endswith("    tf.print('a', x, sep='')  # why\n")


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("print(f'x {x} {{}}')", "tf.print('x ', x, ' {}', sep='')"),
        ("print('%s%%' % x)", "tf.print(x, '%', sep='')"),
        ("print('{} {1} {n}'.format(x, 2, n=3))", None),
        ("print('{0} {1} {n}'.format(x, 2, n=3))", "tf.print(x, ' ', 2, ' ', 3, sep='')"),
        ("print('a', f'{x}', 'b', end='')", "tf.print('a ', x, ' b', sep='', end='')"),
        ("print('%.2f' % x)", "tf.print(tf.strings.as_string(x, precision=2))"),
        (
            "print(f'{x:8.3e} of {x}')",
            "tf.print(tf.strings.join([tf.strings.as_string(x, precision=3, scientific=True, width=8), "
            "' of ', tf.strings.as_string(x)]))",
        ),
    ],
)
def test_a_text_that_python_would_fill_in_is_filled_in_by_the_graph(call: str, expected: str | None) -> None:
    program = HEAD + f"@tf.function\ndef f(x):\n    {call}\n    return x\nf(tf.constant(1.5))\n"
    assert fixed(program, RULE, ONCE_ONLY) == program.replace(call, expected or call)


@pytest.mark.parametrize(
    "call",
    [
        "print(f'{x!r}')",
        "print('%(a)s' % {'a': x})",
        "print('{}'.format(*x))",
        "print(f'{x:>{w}}')",
        "print(f'{x}', 'a', sep='-')",
        "print('a' + f'{x}')",
        "print(x, file=e)",
    ],
)
def test_no_fix_for_text_that_tf_print_would_not_fill_in(call: str) -> None:
    (finding,) = check(HEAD + f"@tf.function\ndef f(x): {call}", RULE, ONCE_ONLY)
    assert finding.fix is not None
    assert finding.fix.safety is Safety.MANUAL


HELLO = "@tf.function\ndef f(x):\n  print('hello')\n{more}\n\nf(tf.ones(2))\nf(tf.ones(2))"
DOES_MORE = {
    "a result": HELLO.format(more="  return x"),
    "a constant": HELLO.format(more="  return 1"),
    "an assignment": "v = tf.Variable(0)\n" + HELLO.format(more="  v.assign_add(1)"),
    "a `tf.print`": HELLO.format(more="  tf.print(x)"),
    "a summary": HELLO.format(more="  tf.summary.scalar('x', 1.0)"),
    "what is unknown": HELLO.format(more="  settings.update(x)"),
    "one call": HELLO.format(more="  pass").removesuffix("f(tf.ones(2))"),
}


@pytest.mark.parametrize("program", DOES_MORE.values(), ids=DOES_MORE)
def test_a_text_beside_other_work_is_a_note(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + program, RULE, ONCE_ONLY)] == [ONCE_ONLY]


def test_a_text_that_is_all_a_function_does() -> None:
    (found,) = check(HEAD + HELLO.format(more="  y = 1"), RULE, ONCE_ONLY)
    assert found.message == "`print` is all that `f` does: once it is traced, a call does nothing"
    assert (found.rule, found.severity) == (RULE, Severity.WRONG)


def test_a_text_that_reports_tracing_alone_is_meant() -> None:
    program = "@tf.function\ndef f(x): print('tracing f')\n\nf(1)\nf(1)"
    assert check(HEAD + program, RULE, ONCE_ONLY) == []
