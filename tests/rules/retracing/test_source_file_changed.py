"""GD126: real programs; must not fire, must fire."""

import inspect

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

HEAD = '''
import pathlib, sys
import tensorflow as tf
sys.path.insert(0, "")
TEXT = """
import tensorflow as tf


def helper(x):
    return x + 1.0


@tf.function
def first(x):
    return helper(x)


@tf.function
def second(x):
    return x * 10.0
"""
file = pathlib.Path("edited_module.py")
file.write_text(TEXT)
import edited_module as m
x = tf.constant(1.0)
'''


def found(tensorflow: TensorFlowServer, program: str) -> tuple[list[str], str]:
    ran = tensorflow.run(HEAD + inspect.cleandoc(program))
    assert ran.error is None, ran.output
    assert ran.recording.problems == ()
    messages = [finding.message for finding in ran.report.findings if finding.rule == "GD126"]
    return messages, ran.output.splitlines()[-1] if ran.output else ""


SILENT = {
    "not edited": "m.first(x); m.second(x)",
    "edited at the end": "file.write_text(TEXT + '# the end'); m.first(x); m.second(x)",
    "edited in another function": "file.write_text(TEXT.replace('10.0', '99.0')); m.first(x)",
    "already converted": "m.second(x); file.write_text(TEXT.replace('10.0', '99.0')); m.second(tf.ones([2]))",
    "written again, the same": "file.write_text(TEXT + ' '); file.write_text(TEXT); m.first(x)",
    "gone": "file.unlink(); m.first(x)",
    "without AutoGraph": "file.write_text('x = 1'); tf.function(m.helper, autograph=False)(x)",
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_must_not_fire(program: str, tensorflow: TensorFlowServer) -> None:
    assert found(tensorflow, program)[0] == []


def test_edited_text_runs_under_the_old_import(tensorflow: TensorFlowServer) -> None:
    messages, output = found(
        tensorflow, "file.write_text(TEXT.replace('10.0', '99.5')); print(m.second(x).numpy())"
    )
    assert messages == [
        "`second` was traced from the new text of its file, which was edited after its import"
    ]
    assert output == "99.5"


def test_moved_lines_run_another_function(tensorflow: TensorFlowServer) -> None:
    moved = "file.write_text(TEXT.replace('import', '# ' + chr(10) * 5 + 'import', 1))"
    messages, output = found(tensorflow, moved + "; print(m.second(x).numpy())")
    assert len(messages) == 1
    assert output == "2.0"


def test_a_helper_is_read_too(tensorflow: TensorFlowServer) -> None:
    messages, output = found(
        tensorflow, "file.write_text(TEXT.replace('1.0', '7.25', 1)); print(m.first(x).numpy())"
    )
    assert messages == [
        "`helper` was traced from the new text of its file, which was edited after its import"
    ]
    assert output == "8.25"
