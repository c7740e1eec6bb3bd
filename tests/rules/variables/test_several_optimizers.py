"""GD403: must not fire, must fire."""

import pytest
from tests.checking import check, marked

RULE = "GD403"
HEAD = (
    "import tensorflow as tf\nfrom tensorflow.keras import optimizers\n"
    "@tf.function\ndef step(x, opt):\n  opt.apply_gradients(zip(grads(x), weights))\n"
    "a, other = pair()\nd, e = optimizers.Adam(), optimizers.SGD()\n"
    "b = optimizers.Adam()\nc = optimizers.SGD()\n"
)


@pytest.mark.parametrize(
    "calls",
    [
        pytest.param("step(1, b)\nstep(2, b)\n", id="the same one"),
        pytest.param("b.build(weights)\nc.build(weights)\nstep(1, b)\nstep(1, c)\n", id="built before"),
        pytest.param("step(1, make())\nstep(1, make())\n", id="not known what it is"),
        pytest.param("step(1, b)\nstep(1, a)\n", id="taken from a tuple"),
        pytest.param("train(b)\ntrain(c)\n", id="another function"),
    ],
)
def test_must_not_fire(calls: str) -> None:
    assert check(HEAD + calls, RULE) == []


def test_must_not_fire_where_the_function_only_passes_it_on() -> None:
    program = HEAD.replace("opt.apply_gradients(zip(grads(x), weights))", "return use(opt)")
    assert check(program + "step(1, b)\nstep(1, c)\n", RULE) == []


@pytest.mark.parametrize(
    "calls",
    [
        "step(1, b)\nstep(1, c)\n",
        "step(1, d)\nstep(1, c)\n",
        "for x in data:\n  step(x, b)\n  step(x, opt=c)\n",
    ],
)
def test_must_fire(calls: str) -> None:
    assert marked(HEAD + calls, RULE) == ["c"]
