"""GD208: must not fire, must fire."""

from inspect import cleandoc

import pytest
from tests.checking import check

from graphdoctor.model import Severity

RULE = "GD208"
HEAD = "import tensorflow as tf\n"


@pytest.mark.parametrize(
    "program",
    [
        pytest.param(
            """
            import random
            def f(x): return x + random.random()
            """,
            id="not traced",
        ),
        pytest.param(
            """
            @tf.function
            def f(x): return x + tf.random.uniform([])
            """,
            id="TensorFlow's",
        ),
        pytest.param(
            """
            import random
            import numpy as np
            def crop(image, seed):
                return tf.image.random_crop(image, [2, 2, 3], seed=seed)
            def both(a, b):
                seed, other = random.randint(0, 2 ** 31 - 1), np.random.randint(0, 1000)
                a = tf.cond(tf.random.uniform([]) > 0.5, lambda: crop(a, seed), lambda: a)
                return a, tf.image.random_flip_left_right(b, other)
            data = tf.data.Dataset.from_tensors((tf.ones([4, 4, 3]), tf.ones([4, 4, 3]))).repeat().map(both)
            """,
            id="the seed of an operation that draws again at each call",
        ),
        pytest.param(
            """
            from mine import random
            @tf.function
            def f(x): return x + random.random()
            """,
            id="another module of that name",
        ),
        pytest.param(
            """
            import random
            @tf.function
            def f(x): return tf.py_function(lambda v: v + random.random(), [x], tf.float32)
            """,
            id="in py_function",
        ),
        pytest.param(
            """
            import random
            @tf.function
            def f(x):
                with tf.init_scope():
                    seed = random.random()
                return x
            """,
            id="in init_scope",
        ),
        pytest.param(
            """
            import random
            @tf.function
            def f(x):
                if tf.executing_eagerly():
                    x = x + random.random()
                return x
            """,
            id="only when eager",
        ),
        pytest.param(
            """
            import numpy as np
            @tf.function
            def f(x):
                rng = np.random.RandomState(0)
                return x
            """,
            id="a seeded generator object",
        ),
        pytest.param(
            """
            import random, keras
            class M(keras.Model):
                def call(self, x): return x + random.random()
            M().compile(run_eagerly=True)
            """,
            id="a model that runs eagerly",
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
            import numpy as np
            @tf.function
            def f(x): return x + np.random.rand(3)
            """,
            id="numpy",
        ),
        pytest.param(
            """
            import random
            ds = tf.data.Dataset.range(3).map(lambda x: random.random())
            """,
            id="in Dataset.map",
        ),
        pytest.param(
            """
            import random
            def g(): return random.random()
            @tf.function
            def f(x): return x + g()
            """,
            id="through a helper",
        ),
        pytest.param(
            """
            import random, keras
            class L(keras.layers.Layer):
                def call(self, x): return x + random.random()
            """,
            id="in a layer",
        ),
    ],
)
def test_must_fire(program: str) -> None:
    assert [finding.rule for finding in check(HEAD + cleandoc(program), RULE)] == [RULE]


def test_what_python_would_run_once_as_well_is_left_alone() -> None:
    program = (
        "import random\nclass M(tf.Module):\n  @tf.function\n  def f(self, x):\n"
        "    if self.start is None:\n      self.start = random.random()\n    return x * self.start"
    )
    assert check(HEAD + program, RULE) == []
    assert len(check(HEAD + program.replace("self.start is None", "self.name"), RULE)) == 1


SINGLE = """
    import numpy as np
    import tensorflow as tf
    def crop(x):
        first = np.random.randint(0, 5)
        return x[first:first + 20]
    images = np.zeros([100, 32, 3], "float32")
    """


@pytest.mark.parametrize(
    ("program", "line"),
    [
        (
            "for i in range(100):\n    for x in tf.data.Dataset.from_tensors(images[i]).map(crop): print(x)",
            None,
        ),
        ("one = tf.data.Dataset.from_tensors(images[3]).map(crop)\nfor i in range(9): print(list(one))", 7),
        (
            "for i in range(9): print(list(tf.data.Dataset.from_tensors(images[i]).map(crop)))\n"
            "for x in tf.data.Dataset.from_tensor_slices(images).map(crop): print(x)",
            8,
        ),
    ],
)
def test_a_pipeline_of_one_element_that_each_iteration_makes_draws_as_often(
    program: str, line: int | None
) -> None:
    found = check(cleandoc(SINGLE) + "\n" + program, RULE)
    assert [(each.line, *(way.line for way in each.reached)) for each in found] == (
        [] if line is None else [(4, line)]
    )


def test_a_seed_of_an_operation_without_state_is_frozen_with_its_result() -> None:
    text = HEAD + cleandoc(
        """
        import random
        def crop(image):
            seed = random.randint(0, 1000)
            return tf.image.stateless_random_crop(image, [2, 2, 3], seed=(seed, 0))
        data = tf.data.Dataset.from_tensors(tf.ones([4, 4, 3])).repeat().map(crop)
        """
    )
    (finding,) = check(text, RULE)
    assert finding.line == 4


@pytest.mark.parametrize(
    ("made", "used", "severities"),
    [
        ("seed = int(random.random() * 1234.0)", "seed=seed", []),
        ("pass", "seed=int(random.random() * 99)", []),
        ("seed = 1 + random.randint(0, 9)", "seed=seed) * float(seed", [Severity.WRONG]),
        ("seed = int(random.random() * 9)\n    image = image * seed", "seed=seed", [Severity.WRONG]),
    ],
)
def test_what_is_computed_of_a_draw_and_only_a_seed(made: str, used: str, severities: list[Severity]) -> None:
    text = f"""
import random
def crop(image):
    {made}
    return tf.image.random_crop(image, [2, 2, 3], {used})
data = tf.data.Dataset.from_tensors(tf.ones([4, 4, 3])).repeat().map(crop)
"""
    assert [finding.severity for finding in check(HEAD + text, RULE)] == severities
