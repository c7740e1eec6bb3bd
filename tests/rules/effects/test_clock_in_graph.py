"""GD209: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.model import Severity

RULE = "GD209"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import time
            def f(): return time.time()
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(): return tf.timestamp()
            """,
            id="tf.timestamp",
        ),
        pytest.param(
            """
            @tf.function
            def f(time): return time.time()
            """,
            id="another clock",
        ),
    ],
)
def test_must_not_fire(program: str) -> None:
    assert check(HEAD + cleandoc(program), RULE) == []


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import time
            @tf.function
            def f(x): return x + time.perf_counter()
            """,
            id="perf_counter",
        ),
        pytest.param(
            """
            from datetime import datetime
            @tf.function
            def f(x):
                stamp = str(datetime.now())
                return x, tf.constant(stamp)
            """,
            id="from datetime import",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_what_python_would_run_once_as_well_is_left_alone() -> None:
    program = (
        "import time\nclass M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
        "    if self.start is None:\n      self.start = time.time()\n    return x * self.start"
    )
    assert check(HEAD + program, RULE) == []
    assert len(check(HEAD + program.replace("self.start is None", "self.name"), RULE)) == 1


@pytest.mark.parametrize(
    "body",
    [
        "begin = time.time()\n  y = x * 2\n  return y, time.time() - begin",
        "y = x * 2\n  return y, time.perf_counter() - started",
        "self.begin = time.time()\n  return x, tf.timestamp() - self.begin",
    ],
    ids=["both ends", "one end outside", "an attribute"],
)
def test_a_graph_does_not_wait_between_the_ends_of_an_interval(body: str) -> None:
    program = f"{HEAD}import time\nstarted = 0.0\n@tf.function\ndef f(self, x):\n  {body}\n"
    fixes = [finding.fix for finding in check(program, RULE)]
    assert fixes
    assert {(fix.title, fix.edits) for fix in fixes if fix} == {("Measure outside the function", ())}


@pytest.mark.parametrize(
    ("read", "severities"), [("uuid.uuid4()", []), ("datetime.datetime.now()", [Severity.WRONG])]
)
def test_a_mark_that_nothing_looks_like_is_left_alone(read: str, severities: list[Severity]) -> None:
    program = f"import datetime, uuid\n@tf.function\ndef f(x): return tf.strings.join([x, str({read})])"
    assert [finding.severity for finding in check(HEAD + program, RULE)] == severities
