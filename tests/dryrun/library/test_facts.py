"""What the tables say of the functions that people use most."""

import pytest

from graphdoctor.dryrun.libraries.tables.operations import Operation
from graphdoctor.dryrun.libraries.tables.tables import operation


def known(name: str) -> Operation:
    found = operation(name)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("name", "result", "dtype", "shape", "gradient"),
    [
        ("tensorflow.reduce_mean", "tensor", "same:input_tensor", "reduce:input_tensor", True),
        ("tensorflow.argmax", "tensor", "param:output_type|int64", "reduce:input@0", False),
        ("tensorflow.cast", "tensor", "param:dtype|float32", "same:x", True),
        ("tensorflow.shape", "tensor", "param:out_type|int32", "shape_of:input", False),
        ("tensorflow.zeros", "tensor", "param:dtype|float32", "param:shape", None),
        ("tensorflow.fill", "tensor", "same:value", "param:dims", True),
        ("tensorflow.random.normal", "tensor", "param:dtype|float32", "param:shape", None),
        (
            "tensorflow.one_hot",
            "tensor",
            "param:dtype|same:on_value,off_value else=float32",
            "one_hot:indices",
            False,
        ),
        ("tensorflow.concat", "tensor", "same:values", "concat:values", True),
        ("tensorflow.stack", "tensor", "same:values", "stack:values", True),
        ("tensorflow.unstack", "list", "same:value", "reduce:value", True),
        ("tensorflow.round", "tensor", "same:x", "same:x", False),
        ("tensorflow.greater", "tensor", "bool", "broadcast:x,y", False),
        ("tensorflow.matmul", "tensor", "param:output_type|same:a,b", "matmul:a,b", True),
        ("tensorflow.add", "tensor", "same:x,y", "broadcast:x,y", True),
        ("tensorflow.where", "tensor", "same:x,y", "broadcast:condition,x,y", True),
        ("tensorflow.stop_gradient", "tensor", "same:input", "same:input", False),
        ("tensorflow.nn.moments", "tuple:2", "same:x / same:x", "reduce:x / reduce:x", True),
        ("tensorflow.debugging.assert_equal", "none", "", "", None),
        ("numpy.zeros", "array", "param:dtype|float64", "param:shape", None),
        ("numpy.add", "array", "param:dtype|promote:x1,x2", "broadcast:x1,x2", None),
        ("numpy.random.rand", "array", "float64", "param:args", None),
    ],
)
def test_facts(name: str, result: str, dtype: str, shape: str, gradient: bool | None) -> None:
    found = known(name)
    assert (found.result, found.dtype, found.shape, found.gradient) == (result, dtype, shape, gradient)


@pytest.mark.parametrize(
    ("name", "raises"),
    [
        ("numpy.sin", True),
        ("numpy.shape", False),
        ("numpy.ndim", False),
        ("numpy.mean", True),
        ("tensorflow.constant", True),
        ("tensorflow.convert_to_tensor", False),
    ],
)
def test_what_raises_on_a_symbolic_tensor(name: str, raises: bool) -> None:
    assert known(name).raises_on_symbolic is raises


@pytest.mark.parametrize(
    ("name", "effect"),
    [
        ("numpy.random.rand", "random"),
        ("numpy.random.normal", "random"),
        ("tensorflow.random.normal", ""),
        ("numpy.sin", ""),
    ],
)
def test_effects(name: str, effect: str) -> None:
    assert known(name).effect == effect


def test_a_scalar_of_numpy_random_is_a_python_number() -> None:
    assert known("numpy.random.rand").number == "python:float"
    assert known("numpy.random.randint").number == "python:int"


def test_results_with_names() -> None:
    assert known("tensorflow.nn.top_k").result == "namedtuple:values,indices"
    assert known("tensorflow.unique").open
