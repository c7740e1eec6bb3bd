"""GD203: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.model import Level, Severity
from graphdoctor.source import parse_module

RULE = "GD203"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            n = 0
            @tf.function
            def f(x):
                global n
                n += 1
                return x
            for i in range(3): f(tf.ones([2]))
            print("f was traced", n, "times")
            """,
            id="the line that reads it speaks of traces",
        ),
        pytest.param(
            """
            n = 0
            def f():
                global n
                n += 1
            """,
            id="not traced",
        ),
        pytest.param(
            """
            n = 0
            @tf.function
            def f(x):
                global n
                return x + n
            """,
            id="only read",
        ),
        pytest.param(
            """
            traces = 0
            @tf.function
            def f(x):
                global traces
                traces += 1
                return x
            """,
            id="counts traces",
        ),
        pytest.param(
            """
            warned = False
            @tf.function
            def f(x):
                global warned
                warned = True
                return x
            """,
            id="a flag, to a constant",
        ),
        pytest.param(
            """
            generator = None
            @tf.function
            def f(x):
                global generator
                if generator is None:
                    generator = tf.random.Generator.from_seed(1)
                return x + generator.normal([])
            """,
            id="made when it is not yet there",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                n = 0
                def inner():
                    nonlocal n
                    n = 1
                inner()
                return x
            """,
            id="nonlocal of a traced function",
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
            n = 0
            @tf.function
            def f(x):
                global n
                n = n + 1
                return x
            """,
            id="global",
        ),
        pytest.param(
            """
            def make():
                n = 0
                @tf.function
                def f(x):
                    nonlocal n
                    n += 1
                    return x
                return f
            """,
            id="nonlocal of an eager function",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_a_test_that_counts_is_left_alone() -> None:
    text = HEAD + cleandoc(
        """
        def test_it_is_traced_once():
            count = 0
            @tf.function
            def total(x):
                nonlocal count
                count += 1
                return tf.reduce_sum(x)
            total(tf.ones([2]))
            total(tf.zeros([2]))
            assert count == 1
        """
    )
    module, program = (parse_module(path, text) for path in ("tests/test_total.py", "total.py"))
    assert check_module(module, Config(select=(RULE,))) == []
    assert [found.severity for found in check_module(program, Config(select=(RULE,)))] == [Severity.WRONG]


@pytest.mark.parametrize(
    ("end", "level"),
    [
        ("", Level.LOW),
        ("print(n)", Level.HIGH),
        ("def report():\n    return n", Level.HIGH),
        ("def reset():\n    global n\n    n = 0", Level.LOW),
    ],
)
def test_what_nothing_reads_has_low_confidence(end: str, level: Level) -> None:
    program = """
        n = 0
        @tf.function
        def f(x):
            global n
            n += 1
            return x
        for _ in range(3):
            f(tf.ones([2]))
        """
    (finding,) = check(HEAD + cleandoc(program) + "\n" + end, RULE)
    assert (finding.severity, finding.confidence.level) == (Severity.WRONG, level)


def test_what_the_graph_itself_reads_is_wrong() -> None:
    program = """
        n = 0
        @tf.function
        def f(x):
            global n
            n += 1
            return x * n
        for _ in range(3):
            f(tf.ones([2]))
        """
    (finding,) = check(HEAD + cleandoc(program), RULE)
    assert finding.severity is Severity.WRONG


def test_a_count_that_is_reported_as_tracks_is_no_count_of_traces() -> None:
    program = """
        n = 0
        @tf.function
        def f(x):
            global n
            n += 1
            return x
        for i in range(3): f(tf.ones([2]))
        print("tracks so far:", n)
        """
    assert len(check(HEAD + cleandoc(program), RULE)) == 1
