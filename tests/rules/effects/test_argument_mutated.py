"""GD205: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD205"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            @tf.function
            def f(d):
                d = dict(d)
                d['a'] = 1
                return d
            """,
            id="a copy",
        ),
        pytest.param(
            """
            def f(d):
                d['a'] = 1
            """,
            id="not a graph function",
        ),
        pytest.param(
            """
            def g(d):
                d['a'] = 1
            @tf.function
            def f(x):
                d = {}
                g(d)
                return d
            """,
            id="a helper of one",
        ),
        pytest.param(
            """
            class M:
                @tf.function
                def f(self, x):
                    self['a'] = x
                    return x
            """,
            id="self",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                items = []
                items.append(x)
                return items
            """,
            id="a local list",
        ),
        pytest.param(
            """
            @tf.function
            def f(cache: Cache, x):
                cache['a'] = x
                return x
            """,
            id="annotated otherwise",
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
            @tf.function
            def f(items, x):
                items.append(x)
                return x
            """,
            id="append",
        ),
        pytest.param(
            """
            @tf.function
            def f(d):
                d['a'] = tf.cast(d['a'], tf.float32)
                return d['a']
            f({'a': tf.constant([1, 2])})
            """,
            id="cast to another dtype",
        ),
        pytest.param(
            """
            @tf.function
            def f(d, x):
                d['a'] = tf.cast(x, tf.float32)
                return d['a']
            f({'a': tf.ones([2])}, tf.ones([2]))
            """,
            id="another tensor, whose cast changes nothing",
        ),
        pytest.param(
            """
            @tf.function
            def f(d):
                return d.pop('x')
            """,
            id="pop",
        ),
        pytest.param(
            """
            @tf.function
            def f(d):
                del d['x']
                return d
            """,
            id="del",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
