"""What the dry run infers for each expression of whole programs, held against the real TensorFlow.

`scripts/inferred_values.py` does so for all programs of the tests, and prints what is false.
"""

import pathlib

import pytest
from inference_probe.comparing import compare, compare_values
from inference_probe.covering import difference
from inference_probe.descriptions import (
    Anything,
    Constant,
    Either,
    Elements,
    Entries,
    Numbers,
    NumberType,
    Object,
    Pipeline,
    Sizes,
    Some,
    Structure,
    Thing,
    Typical,
)
from inference_probe.instrumenting import instrumented
from inference_probe.programs import program_of, programs_of
from tests.running import TensorFlowServer

PROGRAMS = pathlib.Path(__file__).parents[1] / "programs"
WITHOUT_FALSE = (
    "ordinary/adversarial.py",
    "ordinary/custom_loop.py",
    "ordinary/keras_fit.py",
    "ordinary/keras_subclass.py",
    "ordinary/sequences.py",
    "healthy/callbacks.py",
    "healthy/generation.py",
    "healthy/pipelines.py",
    "held_out_fourth/clean_b07_numpy_pipeline.py",
    "held_out_third/fixed/proj_11/main.py",
)


@pytest.mark.tensorflow
@pytest.mark.parametrize("path", WITHOUT_FALSE)
def test_no_inferred_value_is_false(path: str, tensorflow: TensorFlowServer) -> None:
    compared = compare(program_of(PROGRAMS / path), tensorflow, time_limit=120)
    assert compared.ended == ""
    assert [f"{each.place.line}: {each.text}: {each.difference}" for each in compared.false] == []
    assert compared.values > 30


ZERO, ONE = Constant("int", "0"), Constant("int", "1")
NONE = Constant("NoneType", "None")
BATCH = Numbers("tensor", "float32", (32, 2))
OPEN_BATCH = Numbers("tensor", "float32", (None, 2))
COVERED = {
    "nothing is known": (Anything(), ZERO),
    "the same number": (ZERO, ZERO),
    "some number": (Some("number", frozenset()), Constant("float", "0.5")),
    "one of these texts": (Some("str", frozenset(["'a'", "'b'"])), Constant("str", "'a'")),
    "one of two": (Either((BATCH, NONE)), NONE),
    "a dtype and a shape that is unknown": (Numbers("tensor", None, None), BATCH),
    "a size that we do not know": (Numbers("tensor", "float32", ("?", 2)), OPEN_BATCH),
    "an element whose pipeline leaves its size open": (
        Pipeline(BATCH, 3),
        Pipeline(Numbers("tensor", "float32", ("?", 2)), None),
    ),
    "one tensor, or several": (Structure(BATCH), Elements("list", (BATCH, BATCH), 2)),
    "typical elements": (Typical("list", Some("int", frozenset())), Elements("list", (ZERO, ONE), 2)),
    "what is left of an iterator": (Elements("iterator", (ZERO,), 1), Thing(("list_iterator", "object"))),
    "a key that need not be there": (Entries({"'a'": ZERO}, perhaps=frozenset(["'a'"])), Entries({})),
    "keys that are unknown": (Entries({}, whole=False), Entries({"'a'": ZERO})),
    "a shape as a tuple": (Sizes((None, 2)), Elements("tuple", (NONE, Constant("int", "2")), 2)),
    "a dtype as Keras says it": (NumberType("float32"), Constant("str", "'float32'")),
    "a class that it derives from": (Object("Base"), Thing(("Derived", "Base", "object"))),
}
NOT_COVERED = {
    "another number": (ZERO, ONE, ": inferred 0, real 1"),
    "True is no number": (ONE, Constant("bool", "True"), ": inferred 1, real True"),
    "another type": (Some("int", frozenset()), Constant("float", "1.0"), ": inferred some int, real 1.0"),
    "neither of two": (Either((ZERO, NONE)), ONE, ": inferred 0 or None, real 1"),
    "a size that is open": (
        BATCH,
        OPEN_BATCH,
        ": inferred tensor float32 (32, 2), real tensor float32 (None, 2)",
    ),
    "a size that is not open": (
        OPEN_BATCH,
        BATCH,
        ": inferred tensor float32 (None, 2), real tensor float32 (32, 2)",
    ),
    "an open rank": (
        Numbers("tensor", None, (2,)),
        Numbers("tensor", "int32", None),
        ": inferred tensor of some dtype (2), real tensor int32 of some shape",
    ),
    "an array": (
        Numbers("tensor", None, None),
        Numbers("array", "int32", ()),
        ": inferred tensor of some dtype of some shape, real array int32 ()",
    ),
    "another length": (
        Elements("list", (ZERO,), 1),
        Elements("list", (ZERO, ONE), 2),
        ": inferred list[0], real list[0, 1]",
    ),
    "another kind": (Typical("list", ZERO), Elements("tuple", (), 0), ": inferred list[0, …], real tuple[]"),
    "another element": (
        Elements("tuple", (ZERO, ZERO), 2),
        Elements("tuple", (ZERO, ONE), 2),
        "[1]: inferred 0, real 1",
    ),
    "a key that is missing": (Entries({"'a'": ZERO}), Entries({}), "['a']: inferred 0, real not there"),
    "a key too many": (Entries({}), Entries({"'a'": ZERO}), "['a']: inferred not there, real 0"),
    "another number of batches": (
        Pipeline(Anything(), 3),
        Pipeline(BATCH, 4),
        ": inferred dataset of 3 × anything, real dataset of 4 × tensor float32 (32, 2)",
    ),
    "a constant where an object was inferred": (Object("Layer"), NONE, ": inferred Layer, real None"),
}


@pytest.mark.parametrize(("inferred", "real"), COVERED.values(), ids=COVERED)
def test_covered(inferred, real):
    assert difference(inferred, real) is None


@pytest.mark.parametrize(("inferred", "real", "reported"), NOT_COVERED.values(), ids=NOT_COVERED)
def test_not_covered(inferred, real, reported):
    assert str(difference(inferred, real)) == reported.removeprefix(": ")


def test_a_value_is_false_when_no_inferred_value_covers_it(tmp_path):
    (tmp_path / "program.py").write_text("total = count + 1\n")
    place = "program.py:1:8:1:17"
    inferred_values = {place: [ZERO, Some("float", frozenset())], "program.py:1:8:1:13": [Anything(), NONE]}
    values = [(place, ZERO), (place, ONE), ("program.py:1:8:1:13", ZERO), ("program.py:9:0:9:1", ZERO)]
    compared = compare_values(inferred_values, values, tmp_path)
    assert (compared.values, compared.unknown, compared.unreached) == (3, 1, 1)
    assert [(each.text, str(each.difference)) for each in compared.false] == [
        ("count + 1", "inferred 0, real 1")
    ]


INSTRUMENTED = {
    "x = a + b\n": 'x = _note("p.py:1:4:1:9", (_note("p.py:1:4:1:5", (a)) + _note("p.py:1:8:1:9", (b))))\n',
    "items.append(a)\n": 'items.append(_note("p.py:1:13:1:14", (a)))\n',
    "x[i:n, 0] = 1\n": 'x[_note("p.py:1:2:1:3", (i)):_note("p.py:1:4:1:5", (n)), 0] = 1\n',
    "def f(x: int) -> int:\n    return x\n": (
        'def f(x: int) -> int:\n    return _note("p.py:2:11:2:12", (x))\n'
    ),
    "x: int = y\n": 'x: int = _note("p.py:1:9:1:10", (y))\n',
    "super().__init__(a)\n": 'super().__init__(_note("p.py:1:17:1:18", (a)))\n',
}


@pytest.mark.parametrize("text", INSTRUMENTED)
def test_instrumented(text):
    head, _, rest = instrumented(text, "p.py").partition("\n")
    assert (head, rest) == ("from inference_probe.noting import note as _note", INSTRUMENTED[text])


def test_the_import_comes_after_what_must_be_first():
    text = '"""What it is."""\nfrom __future__ import annotations\n@f\ndef g(): pass\n'
    assert instrumented(text, "p.py").splitlines()[2] == "from inference_probe.noting import note as _note"


def test_what_another_file_imports_is_no_program_of_its_own(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.py").write_text("import os\n")
    (package / "train.py").write_text("from .model import os\n")
    (tmp_path / "settings.ini").write_text("[a]\n")
    (program,) = programs_of([tmp_path])
    assert program.name == "package.train"
    assert sorted(program.texts()) == ["package/__init__.py", "package/model.py", "package/train.py"]
    assert program.data() == {"settings.ini": "[a]\n"}
