"""What `next` gives in a graph function, taken by who calls it; and where that is not offered."""

import inspect

import pytest
from tests.checking import check, ways

RULE = "GD210"
HEAD = "import itertools\nimport tensorflow as tf\n\n"
FEED = "def feed():\n    while True:\n        yield tf.ones([2]), tf.ones([2])\n\nstream = feed()\n"
CALLS = "for _ in range(3):\n    step(tf.ones([2]))\n"


def titles(program: str) -> list[str]:
    (finding, *_) = check(program, RULE)
    return [fix.title for fix in finding.fixes if fix.edits]


LEFT = {
    "in a branch": "def step(x):\n    if step.on:\n        x = next(stream)[0]\n    return x\n",
    "in each loop": "def step(x):\n    for _ in range(2):\n        x = x + next(stream)[0]\n    return x\n",
    "maybe": "def step(x):\n    return next(stream)[0] if x.shape[0] else x\n",
    "after a return": "def step(x):\n    if x.shape[0] == 7: return x\n    return x + next(stream)[0]\n",
}


@pytest.mark.parametrize("name", LEFT)
def test_what_not_every_call_takes_is_left(name: str) -> None:
    assert "Pass it as an argument" not in titles(f"{HEAD}{FEED}@tf.function\n{LEFT[name]}{CALLS}")


@pytest.mark.parametrize(
    "use",
    [
        pytest.param("steps = [step]\n", id="kept elsewhere"),
        pytest.param("print(step.get_concrete_function(tf.ones([2])))\n", id="asked for its graph"),
        pytest.param("step(*[tf.ones([2])])\n", id="a star"),
    ],
)
def test_a_function_that_is_more_than_called_is_left(use: str) -> None:
    step = "@tf.function\ndef step(x):\n    return x + next(stream)[0]\n"
    assert "Pass it as an argument" not in titles(f"{HEAD}{FEED}{step}{CALLS}{use}")


def test_a_caller_that_is_traced_itself_is_left() -> None:
    program = (
        f"{HEAD}{FEED}@tf.function\ndef inner(x):\n    return x + next(stream)[0]\n"
        f"@tf.function\ndef step(x):\n    return inner(x)\n{CALLS}"
    )
    assert "Pass it as an argument" not in titles(program)


def test_a_signature_is_left() -> None:
    step = (
        "@tf.function(input_signature=[tf.TensorSpec([2])])\ndef step(x):\n    return x + next(stream)[0]\n"
    )
    assert "Pass it as an argument" not in titles(f"{HEAD}{FEED}{step}{CALLS}")


def test_a_method_gets_what_its_object_holds() -> None:
    program = """
        import tensorflow as tf

        def feed():
            while True:
                yield tf.ones([2]), tf.ones([2])

        class Trainer:
            def __init__(self, stream):
                self.stream = stream

            @tf.function
            def update(self):
                x, y = next(self.stream)
                return tf.reduce_sum(x - y)

            def train(self):
                for _ in range(3):
                    self.update()

        trainer = Trainer(feed())
        trainer.train()
        trainer.update()
        """
    expected = (
        inspect.cleandoc(program)
        .replace("def update(self)", "def update(self, batch)")
        .replace("= next(self.stream)", "= batch")
        .replace("self.update()", "self.update(batch=next(self.stream))")
        .replace("trainer.update()", "trainer.update(batch=next(trainer.stream))")
    )
    assert ways(program, RULE)[0] == f"{expected}\n"


def test_several_are_taken_in_their_order_and_numbers_become_tensors() -> None:
    program = (
        f"{HEAD}numbers = itertools.count(1)\n\n\n@tf.function\ndef step():\n    first = next(numbers)\n"
        "    return first - next(numbers)\n\nfor _ in range(3):\n    step()\n"
    )
    expected = (
        f"{HEAD}numbers = itertools.count(1)\n\n\n@tf.function\ndef step(first, batch):\n"
        "    return first - batch\n\nfor _ in range(3):\n"
        "    step(first=tf.constant(next(numbers)), batch=tf.constant(next(numbers)))\n"
    )
    assert ways(program, RULE)[0] == expected


def test_a_closure_takes_it_before_its_graph_begins() -> None:
    program = """
        import tensorflow as tf

        def feed():
            while True:
                yield tf.ones([2])

        def make_step(stream):
            @tf.function
            def step():
                x = next(stream)
                return tf.reduce_sum(x)
            return step

        step = make_step(feed())
        for _ in range(3):
            step()
        """
    assert "return _graph_step(x)" in ways(program, RULE)[0]
