"""GD309: must not fire, must fire, and the TensorArray it becomes."""

import pytest
from tests.checking import check, fixed

from graphdoctor.model import Confidence, Level, Safety, Severity

RULE = "GD309"
HEAD = "import tensorflow as tf\n@tf.function\ndef f(x, n):\n"


def body(*lines: str) -> str:
    return HEAD + "".join(f"  {line}\n" for line in lines)


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(body("out = []", "for i in range(3): out.append(x)", "return out"), id="Python loop"),
        pytest.param(body("out = []", "for l in self.layers: out.append(l(x))"), id="a loop over layers"),
        pytest.param(body("for i in tf.range(n):", "  out = []", "  out.append(i)"), id="made in the loop"),
        pytest.param(body("out = []", "for i in range(n): out.append(x)"), id="n may be a Python number"),
        pytest.param(body("out = []", "while n > 3: out.append(x)"), id="n may be a Python number, while"),
        pytest.param(body("out = Bag()", "for i in tf.range(3): out.append(x)"), id="not a list"),
        pytest.param(
            "import tensorflow as tf\ndef f(n):\n  out = []\n  for i in tf.range(n): out.append(i)\n",
            id="not traced: eager loops may append",
        ),
        pytest.param(
            "import tensorflow as tf\n@tf.function(autograph=False)\ndef f(n):\n  out = []\n"
            "  for i in tf.range(n): out.append(i)\n",
            id="not converted: another error",
        ),
        pytest.param(
            body("out = []", "def add(v): out.append(v)", "for l in layers: add(l)"), id="in a helper"
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        body("out = []", "for i in tf.range(n): out.append(x)", "return tf.stack(out)"),
        body("out = list()", "for i in tf.range(n):", "  if i > 2:", "    out.append(x)"),
        body("out = [x]", "for row in tf.ones([3, 2]): out.append(row)"),
        body("out = []", "steps = tf.shape(x)[1]", "for t in range(steps): out.append(x[:, t])"),
        body("out = []", "i = tf.constant(0)", "while i < 3:", "  out.append(i)", "  i += 1"),
        body("out = []", "for b in tf.data.Dataset.range(3).batch(2): out.append(b)"),
    ],
)
def test_must_fire(program: str) -> None:
    assert len(check(program, RULE)) == 1


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(body("out = []", "for i in range(3): out += [x]", "return out"), id="Python loop"),
        pytest.param(body("for i in tf.range(n):", "  out = []", "  out += [i]"), id="made in the loop"),
        pytest.param(body("out = [x]", "for i in tf.range(n): out = [x + 1]"), id="as long as before"),
        pytest.param(body("out = [x]", "for i in tf.range(n): out += []"), id="nothing is added"),
        pytest.param(body("out = tf.zeros([1])", "for i in tf.range(n): out += [1.0]"), id="a tensor"),
        pytest.param(body("out = 0", "for i in tf.range(n): out += i"), id="a number"),
        pytest.param(
            body("out = []", "for i in tf.range(n):", "  if self.keep: out += [x]"), id="maybe never"
        ),
    ],
)
def test_must_not_fire_on_a_sum(program: str) -> None:
    assert check(program, RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        body("out = []", "for i in tf.range(n): out += [x]", "return tf.stack(out)"),
        body("out = []", "i = tf.constant(0)", "while i < 3:", "  out += [i]", "  i += 1"),
        body("out = [x]", "for i in tf.range(n): out = out + [x, x]"),
        body("out = []", "for i in tf.range(n):", "  if i > 0: out += [x]"),
    ],
)
def test_a_list_that_is_added_to(program: str) -> None:
    (finding,) = check(program, RULE)
    assert finding.message == (
        "`out` grows at each iteration of a TensorFlow loop, which can only carry a list of fixed length"
    )


def test_fix_knows_the_dtype_where_the_source_says_it() -> None:
    program = body(
        "out = []", "for i in tf.range(n):", "  out.append(tf.cast(i, tf.int64))", "return tf.stack(out)"
    )
    assert "out = tf.TensorArray(tf.int64, size=0, dynamic_size=True)\n" in fixed(program, RULE)


@pytest.mark.parametrize(
    "last",
    ["return out.pop()", "out.sort()", "out.clear()", "return [*out]", "return tf.stack(out, 0, name)"],
)
def test_no_fix_where_a_use_is_not_understood(last: str) -> None:
    (finding,) = check(body("out = []", "for i in tf.range(n): out.append(x)", last), RULE)
    assert finding.fix is not None
    assert finding.fix.safety is Safety.MANUAL


UNREAD = """
import tensorflow as tf
@tf.function
def f(x):
    kept = []
    total = 0.0
    for each in x:
        kept.append(each * 2.0)
        total += each
    return total
f(tf.ones([3]))
"""


def test_a_list_that_nothing_reads_has_low_confidence() -> None:
    (finding,) = check(UNREAD, RULE)
    assert finding.confidence == Confidence(level=Level.LOW, reasons=("nothing shows that the list is read",))


@pytest.mark.parametrize(
    "end",
    ["return kept", "return total, tf.stack(kept)", "return [a for a in kept]", "return total + len(kept)"],
)
def test_a_list_that_is_read_raises(end: str) -> None:
    program = UNREAD.replace("return total", end)
    assert [finding.severity for finding in check(program, RULE)] == [Severity.ERROR]
