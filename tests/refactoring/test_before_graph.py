"""What a graph function draws first, drawn before the graph begins; and where that is not offered."""

import inspect

import pytest
from tests.checking import check, ways

HEAD = (
    "import numpy as np\nimport tensorflow as tf\n\nrng, table = np.random.default_rng(3), np.ones([4, 3])\n"
)
DRAWS = "    rows = table[rng.integers(0, 4, 2)]\n"
CALLS = "for _ in range(3):\n    step(tf.ones([3]))\n"
TITLE = "Draw before the graph"


def titles(program: str) -> list[str]:
    (finding, *_) = check(program, "GD208")
    return [fix.title for fix in finding.fixes]


def test_a_function_is_split_after_what_it_draws() -> None:
    program = (
        f'{HEAD}@tf.function(reduce_retracing=True)\ndef step(x, gain=2.0):\n    """One step."""\n'
        f"{DRAWS}    return tf.reduce_sum(rows * x)\n{CALLS}"
    )
    expected = (
        f'{HEAD}def step(x, gain=2.0):\n    """One step."""\n{DRAWS}    return _graph_step(x, rows)\n\n'
        "@tf.function(reduce_retracing=True)\ndef _graph_step(x, rows):\n    return tf.reduce_sum(rows * x)\n"
        f"{CALLS}"
    )
    assert ways(program, "GD208")[-1] == expected


def test_a_method_is_split_where_a_helper_draws() -> None:
    program = """
        import numpy as np
        import tensorflow as tf

        class Agent:
            def __init__(self):
                self.rng = np.random.default_rng(1)
            def sample(self, count):
                return self.rng.normal(size=count)
            @tf.function
            def improve(self):
                batch = self.sample(4)
                return tf.reduce_sum(batch)

        agent = Agent()
        for _ in range(3):
            agent.improve()
        """
    after = ways(program, "GD208")[-1]
    assert (
        inspect.cleandoc("""
        def improve(self):
                batch = self.sample(4)
                return self._graph_improve(batch)

            @tf.function
            def _graph_improve(self, batch):
                return tf.reduce_sum(batch)
        """)
        in after
    )


@pytest.mark.parametrize(
    "function",
    [
        pytest.param(
            f"def step(x):\n    if len(x.shape):\n    {DRAWS}    return rows * x\n", id="in a branch"
        ),
        pytest.param("def step(x):\n    return table[rng.integers(0, 4, 2)] * x\n", id="in all there is"),
        pytest.param(
            f"def step(x):\n    for _ in range(2):\n        x = x + 1.0\n{DRAWS}    return rows * x\n",
            id="after a loop",
        ),
        pytest.param(f"def step(x, *more):\n{DRAWS}    return rows * x\n", id="with any arguments"),
        pytest.param(
            f"def step(x):\n{DRAWS}    return rows * x\nprint(step.pretty_printed_concrete_signatures())\n",
            id="asked as a graph function",
        ),
    ],
)
def test_left_alone(function: str) -> None:
    assert TITLE not in titles(f"{HEAD}@tf.function\n{function}{CALLS}")


def test_left_alone_with_a_signature() -> None:
    decorator = "@tf.function(input_signature=[tf.TensorSpec([3])])"
    assert TITLE not in titles(f"{HEAD}{decorator}\ndef step(x):\n{DRAWS}    return rows * x\n{CALLS}")
