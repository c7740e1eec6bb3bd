"""A model whose `call` loops over the length of a tensor and fills lists: reported, repaired, and proven.

What is proven: the graph gives the values and gradients of the original's eager code, every trainable
variable has a gradient, each of them changes the output of a function that is traced already, and one trace
serves two lengths.
"""

import ast
import importlib.util
import pathlib

import pytest
from tests.checking import check, fixed
from tests.fixing_programs import open_laboratory, search_fix
from tests.refactoring.attention_models import OF_KERAS_2, PROGRAMS, definitions
from tests.running import TensorFlowServer

from graphdoctor.model.fix_result import Verdict

# Of Keras 2 the source is looked at everywhere, and what is installed is run.
RUN = {**PROGRAMS, **(OF_KERAS_2 if importlib.util.find_spec("tf_keras") else {})}
RULES = ("GD333", "GD309", "GD701")
PROOF = """
import pathlib
import tempfile

import tensorflow as tf


def model_of(text):
    path = pathlib.Path(tempfile.mkdtemp(), "program.py")  # AutoGraph reads the source
    path.write_text(text)
    names = {{"__name__": "program"}}
    exec(compile(text, str(path), "exec"), names)
    return names["HandwritingModel"]()


def data(length, seed):
    chars = tf.random.stateless_uniform([4, 5], [seed, 2], maxval=9, dtype=tf.int32)
    return tf.random.stateless_normal([4, length, 3], [seed, 1]), tf.one_hot(chars, 9)


def results(model, strokes, chars):
    with tf.GradientTape() as tape:
        outputs = model((strokes, chars))
        values = tf.nest.flatten(outputs)
        loss = tf.add_n([tf.reduce_mean(each**2) for each in values])
    return values, tape.gradient(loss, model.trainable_variables)


def furthest(ones, others):
    assert len(ones) == len(others)
    return max(float(tf.reduce_max(tf.abs(a - b))) for a, b in zip(ones, others))


old, new = model_of({old!r}), model_of({new!r})
traces = []


@tf.function(input_signature=[tf.TensorSpec([None, None, 3]), tf.TensorSpec([None, None, 9])])
def graph(strokes, chars):
    traces.append(1)
    return results(new, strokes, chars)


strokes, chars = data(6, 1)
tf.config.run_functions_eagerly(True)
old((strokes, chars))
tf.config.run_functions_eagerly(False)
graph(strokes, chars)
del traces[:]
new.set_weights(old.get_weights())
tf.config.run_functions_eagerly(True)
wanted, wanted_gradients = results(old, strokes, chars)
shorter = data(3, 2)
wanted_shorter, _ = results(old, *shorter)
eager, eager_gradients = results(new, strokes, chars)
tf.config.run_functions_eagerly(False)
given, given_gradients = graph(strokes, chars)
given_shorter, _ = graph(*shorter)
print("values", furthest(wanted + wanted, eager + given) < 1e-5)
print("shapes", [each.shape for each in wanted] == [each.shape for each in given])
print("gradients", furthest(wanted_gradients * 2, [*eager_gradients, *given_gradients]) < 1e-4)
print("none", sum(each is None for each in given_gradients), len(given_gradients))
print("another length", furthest(wanted_shorter, given_shorter) < 1e-5)
live = 0
for variable in new.trainable_variables:
    variable.assign(variable * 0.5 + 0.1)
    before, given = given, graph(strokes, chars)[0]
    live += furthest(before, given) > 1e-7
print("live", live)
print("traces", len(traces))
"""
PROVEN = [
    "values True", "shapes True", "gradients True", "none 0 10", "another length True", "live 10", "traces 0",
]  # fmt: skip


def repaired(text: str) -> str:
    """The program after the edits that `check` offers for its loop."""
    return fixed(text, *RULES, "GD124")


@pytest.mark.parametrize("text", [*PROGRAMS.values(), *OF_KERAS_2.values()], ids=[*PROGRAMS, *OF_KERAS_2])
def test_source_shows_the_loop_and_its_repair(text: str) -> None:
    found = [finding for rule in RULES for finding in check(text, rule)]
    assert found
    assert all(finding.fix is not None and finding.fix.edits for finding in found)
    after = repaired(text)
    ast.parse(after)
    assert [f for rule in (*RULES, "GD124", "GD212", "GD709") for f in check(after, rule)] == []


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", RUN)
def test_repaired_model_computes_what_the_loop_did(name: str, tensorflow: TensorFlowServer) -> None:
    text = RUN[name]
    proof = PROOF.format(old=definitions(text), new=definitions(repaired(text)))
    ran = tensorflow.run_once(proof)
    assert ran.printed.splitlines()[-len(PROVEN) :] == PROVEN, ran.output[-2000:]


@pytest.mark.tensorflow
@pytest.mark.long
@pytest.mark.parametrize("name", RUN)
def test_fix_repairs_the_program(name: str, tmp_path: pathlib.Path, oracle: TensorFlowServer) -> None:
    (tmp_path / "model.py").write_text(RUN[name], encoding="utf-8")
    with open_laboratory(tmp_path, "model.py", oracle) as laboratory:
        found = search_fix(laboratory).result()
    assert found.edited == ("model.py",)
    assert {one.rule for one in found.tried if one.reason} == set()
    # How long the second trace takes depends on the machine.
    assert found.verdict is Verdict.FIXED or {one.rule for one in found.remaining} == {"GD131"}
