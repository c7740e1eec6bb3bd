"""Calls as the interpreter sees them, and what the tables say of their results."""

import pytest
from given import Given

from graphdoctor.dryrun.libraries.tables.results import Result, results
from graphdoctor.dryrun.libraries.tables.tables import operation

BATCH = "batch"


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("tensorflow.math.top_k", Given({"input": (BATCH, 9)}, {"input": "float16"}, k=2), [
            Result("float16", (BATCH, 2)), Result("int32", (BATCH, 2))]),
        ("tensorflow.nn.moments", Given({"x": (BATCH, 9)}, {"x": "float32"}, axes=[0], keepdims=False), [
            Result("float32", (9,)), Result("float32", (9,))]),
        ("tensorflow.unstack", Given({"value": (4, BATCH)}, {"value": "int32"}, axis=0), [
            Result("int32", (BATCH,))]),
        ("tensorflow.linalg.svd", Given({"tensor": (3, 3)}, {"tensor": "float32"}, compute_uv=False), []),
        ("tensorflow.cond", Given(), [Result(None, None)]),
        ("numpy.divide", Given({"x1": (2,), "x2": ()}, {"x1": "int32", "x2": "int32"}, dtype=None), [
            Result("float64", (2,))]),
    ],
)  # fmt: skip
def test_results(name: str, arguments: Given, expected: list[Result]) -> None:
    found = operation(name)
    assert found is not None
    assert results(found, arguments) == expected
