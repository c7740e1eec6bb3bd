"""Rules of dtypes, one by one."""

import pytest
from given import Given

from graphdoctor.dryrun.libraries.tables.arguments import UNKNOWN
from graphdoctor.dryrun.libraries.tables.dtypes import result_dtype
from graphdoctor.dryrun.libraries.tables.tables import promotion


@pytest.mark.parametrize(
    ("library", "rule", "arguments", "expected"),
    [
        ("tensorflow", "", Given(), None),
        ("tensorflow", "int64", Given(), "int64"),
        ("tensorflow", "same:x", Given(dtypes={"x": "float16"}), "float16"),
        ("tensorflow", "same:x", Given(), None),
        ("tensorflow", "same:x,y", Given(dtypes={"x": "int", "y": "float64"}), "float64"),
        ("tensorflow", "same:x,y", Given(dtypes={"x": None, "y": "float64"}), "float64"),
        ("tensorflow", "same:x,y", Given(dtypes={"x": "int", "y": "float"}), "float32"),
        ("tensorflow", "same:x int32=float64", Given(dtypes={"x": "int32"}), "float64"),
        ("tensorflow", "same:x int32=float64", Given(dtypes={"x": "int"}), "float64"),
        ("tensorflow", "param:dtype|float32", Given(dtype="int32"), "int32"),
        ("tensorflow", "param:dtype|float32", Given(dtype=None), "float32"),
        ("tensorflow", "param:dtype|float32", Given(), "float32"),
        ("tensorflow", "param:dtype|float32", Given(dtype=UNKNOWN), None),
        ("numpy", "promote:x,y", Given(dtypes={"x": "int32", "y": "float32"}), "float64"),
        ("numpy", "promote:x,y", Given(dtypes={"x": "float32", "y": "float"}), "float32"),
        ("numpy", "promote:x,y", Given(dtypes={"x": "int32", "y": "float"}), "float64"),
        ("numpy", "promote:x,y", Given(dtypes={"x": "int", "y": "int"}), "int64"),
        ("numpy", "promote:x,y", Given(dtypes={"x": "int32", "y": None}), None),
        ("numpy", "promote:start,stop", Given(dtypes={"start": "int"}, stop=None), "int64"),
        ("keras", "promote:x,y", Given(dtypes={"x": "int32", "y": "float32"}), "float32"),
        ("keras", "promote:x,y", Given(dtypes={"x": "int32", "y": "float"}), "float32"),
    ],
)
def test_rules(library: str, rule: str, arguments: Given, expected: str | None) -> None:
    assert result_dtype(rule, arguments, library, promotion(library)) == expected
