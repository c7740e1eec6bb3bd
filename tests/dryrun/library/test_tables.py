"""The reader of the library tables, without TensorFlow."""

import subprocess
import sys

import pytest

from graphdoctor.dryrun.libraries.tables.arguments import UNKNOWN
from graphdoctor.dryrun.libraries.tables.operations import parsed
from graphdoctor.dryrun.libraries.tables.tables import canonical, operation


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tensorflow.reduce_mean", "tensorflow.math.reduce_mean"),
        ("tensorflow.math.reduce_mean", "tensorflow.math.reduce_mean"),
        ("tensorflow.compat.v1.reduce_mean", "tensorflow.math.reduce_mean"),
        ("tensorflow.compat.v2.reduce_mean", "tensorflow.math.reduce_mean"),
        ("tensorflow.concat", "tensorflow.concat"),
        ("tensorflow.nn.top_k", "tensorflow.math.top_k"),
        ("tensorflow.no_such_function", "tensorflow.no_such_function"),
        ("tensorflow.python.ops.math_ops.add", "tensorflow.python.ops.math_ops.add"),
        ("numpy.abs", "numpy.absolute"),
        ("json.loads", "json.loads"),
        ("", ""),
    ],
)
def test_canonical_names(name: str, expected: str) -> None:
    assert canonical(name) == expected


@pytest.mark.parametrize(
    "name", ["tensorflow.no_such_function", "json.loads", "tensorflow", "", "numpy.float_"]
)
def test_unknown_names_are_none(name: str) -> None:
    assert operation(name) is None


def test_every_name_finds_the_same_operation() -> None:
    assert operation("tensorflow.compat.v1.reduce_mean") == operation("tensorflow.math.reduce_mean")


@pytest.mark.parametrize(
    ("name", "parameter", "position"),
    [
        ("tensorflow.sqrt", "name", 1),
        ("tensorflow.reduce_sum", "keepdims", 2),
        ("tensorflow.reduce_sum", "no_such_parameter", None),
        ("numpy.mean", "where", None),
        ("tensorflow.einsum", "kwargs", None),
        ("tensorflow.einsum", "equation", 0),
    ],
)
def test_positions_of_parameters(name: str, parameter: str, position: int | None) -> None:
    found = operation(name)
    assert found is not None
    assert found.position(parameter) == position


@pytest.mark.parametrize(
    ("text", "parameters", "defaults"),
    [
        ("", (), {}),
        ("x", ("x",), {}),
        ("x axis=None name='a'", ("x", "axis", "name"), {"axis": None, "name": "a"}),
        ("*args **kwargs", ("*args", "**kwargs"), {}),
        ("a * b=(1,2) c=...", ("a", "*", "b", "c"), {"b": (1, 2), "c": UNKNOWN}),
    ],
)
def test_parameters_are_read(text: str, parameters: tuple[str, ...], defaults: dict[str, object]) -> None:
    assert parsed(text) == (parameters, defaults)


def test_a_table_is_read_when_it_is_asked_for_and_not_before() -> None:
    script = (
        "from graphdoctor.dryrun.libraries.tables import tables\n"
        "print(tables.table.cache_info().currsize)\n"
        "tables.operation('json.loads'), tables.operation('tensorflow.add')\n"
        "import sys; print(tables.table.cache_info().currsize, {'tensorflow', 'numpy'} & set(sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n2 set()\n"  # "json" is remembered as having none
