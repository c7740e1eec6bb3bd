"""GD207: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

RULE = "GD207"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import logging
            @tf.function
            def f(x):
                logging.info('building')
                return x
            """,
            id="no tensor",
        ),
        pytest.param(
            """
            import logging
            def f(x):
                logging.info(tf.abs(x))
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x):
                board.info(tf.abs(x))
                return x
            """,
            id="another object",
        ),
        pytest.param(
            """
            import logging
            @tf.function
            def f(x):
                y = tf.abs(x)
                logging.info('%s', y.shape)
                return x
            """,
            id="the shape",
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
            import logging
            log = logging.getLogger('a')
            @tf.function
            def f(x):
                log.info('%s', tf.abs(x))
                return x
            """,
            id="logger",
        ),
        pytest.param(
            """
            import logging
            @tf.function
            def f(x):
                logging.warning(f'{tf.abs(x)}')
                return x
            """,
            id="f-string",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]
