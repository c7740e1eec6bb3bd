"""What a program of a test writes to the temporary directory is gone after it."""

import pathlib

import pytest

from tests.running import Ran, TensorFlowServer

PROGRAM = """import os, tempfile
import tensorflow as tf


@tf.function
def double(x):
    return x + x


double(tf.ones([2]))
tempfile.mkdtemp()
print(tempfile.gettempdir())
print(len(os.listdir(tempfile.gettempdir())))
"""


@pytest.mark.tensorflow
def test_temporary_files_are_gone_after_the_program(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(PROGRAM)
    folder, files = ran.output.splitlines()
    assert ran.error is None
    assert int(files) >= 2  # AutoGraph's and the program's; what else it converts depends on others
    assert not pathlib.Path(folder).exists()


@pytest.mark.tensorflow
def test_a_program_is_run_once_with_the_same_settings(tensorflow: TensorFlowServer) -> None:
    first, again = (tensorflow.run_once(PROGRAM, calls=False) for _ in range(2))
    assert again == first
    assert again.traces == 1
    assert tensorflow.run_once(PROGRAM, calls=True).folder != first.folder


def test_what_a_program_printed_is_reported_without_the_warnings_of_libraries() -> None:
    text = "1\n/lib/keras/trainer.py:248: UserWarning: no XLA\n  warnings.warn(\nFalse\na: 3: Warning: mine\n"
    ran = Ran(output=text, error=None, timed_out=False, folder=pathlib.Path())
    assert ran.printed == "1\nFalse\na: 3: Warning: mine"
