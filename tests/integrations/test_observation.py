"""`graphdoctor.observe()` inside a program."""

import pytest
from tests.running import TensorFlowServer

pytestmark = pytest.mark.tensorflow

STEP = """
import graphdoctor
import tensorflow as tf


@tf.function
def step(x, k):
    return x * k


def steps(*values):
    for k in values:
        step(tf.ones([2]), k)


def reported(observation):
    return [(f.name, f.path, f.line, f.traces, f.calls) for f in observation.report().functions]

"""


def output(tensorflow: TensorFlowServer, program: str, **options: bool) -> list[str]:
    ran = tensorflow.run(STEP + program, **options)
    assert ran.error is None, ran.output
    return ran.output.splitlines()


def test_only_what_happens_inside_counts(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
steps(0, 1)
with graphdoctor.observe() as observation:
    steps(1, 2, 3, 4, 4)
steps(5, 6)
report = observation.report()
print(reported(observation), report.complete, report.run.traces, report.tensorflow == tf.__version__)
(finding,) = report.findings
print(finding.rule, finding.argument, finding.evidence.value, finding.observed.traces)
""",
    )
    assert lines == ["[('step', 'program.py', 6, 3, 5)] True 3 True", "GD101 k run 2"]


def test_it_can_be_entered_again_and_inside_itself(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
observation = graphdoctor.observe()
observation.start()
steps(0)
observation.stop()
observation.stop()
steps(1, 1, 1)
with observation:
    with observation:
        steps(2)
    steps(3, 3)
    print(reported(observation))


@observation
def more():
    steps(4)


more()
steps(5)
print(reported(observation), observation.report().functions[0].causes[0].before)
""",
    )
    assert lines == ["[('step', 'program.py', 6, 3, 4)]", "[('step', 'program.py', 6, 4, 5)] 3, 2, 0"]


def test_several_at_once_in_any_order(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
first, second = graphdoctor.observe(), graphdoctor.observe()
first.start()
steps(0)
second.start()
steps(1)
first.stop()
steps(2, 3)
second.stop()
steps(4)
print(reported(first), reported(second))
""",
    )
    assert lines == ["[('step', 'program.py', 6, 2, 2)] [('step', 'program.py', 6, 3, 3)]"]


def test_the_program_s_own_recording_hears_everything(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(STEP + "with graphdoctor.observe():\n    steps(0, 1)\nsteps(2)\n")
    assert len(ran.recording.traces) == 3
    assert ran.recording.complete


def test_an_exception_passes_through_and_is_explained(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
import sys

sys.last_value = ValueError("of an earlier cell: only supports singleton tf.Variables")


@tf.function
def failing(x):
    return x.numpy()


observation = graphdoctor.observe()
try:
    with observation:
        failing(tf.ones([2]))
except AttributeError as error:
    print(type(error).__name__)
errors = [finding for finding in observation.report().findings if finding.severity == "ERROR"]
print([(error.path, error.line) for error in errors])
steps(1)
print(reported(observation)[0][0])
""",
    )
    assert lines == ["AttributeError", "[('program.py', 27)]", "failing"]


def test_all_threads_are_heard(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
import threading

with graphdoctor.observe() as observation:
    threads = [threading.Thread(target=steps, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
print(reported(observation))
""",
    )
    assert lines == ["[('step', 'program.py', 6, 4, 4)]"]


def test_selection_warm_up_and_files(tensorflow: TensorFlowServer) -> None:
    lines = output(
        tensorflow,
        """
import gc, os, tempfile

tempfile.tempdir = os.getcwd()
with graphdoctor.observe(exclude=["program.py"]) as nothing:
    with graphdoctor.observe(warmup=2, recording="kept.jsonl") as warm:
        steps(0, 1)
print(reported(nothing), nothing.report().findings, warm.report().findings)
print(warm.report().functions[0].causes[0].label)
del nothing, warm
gc.collect()
print([name for name in os.listdir() if name.endswith(".jsonl")])
""",
        observe=False,
    )
    assert lines == ["[] () ()", "part of the warm-up", "['kept.jsonl']"]


def test_before_tensorflow_is_imported(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import subprocess, sys

code = '''
import graphdoctor, sys
observation = graphdoctor.observe()
with observation:
    print(observation.report().run.traces, "tensorflow" in sys.modules)
print(any("importing" in type(finder).__module__ for finder in sys.meta_path))
with graphdoctor.no_retrace(), observation:
    import tensorflow as tf
    tf.function(lambda x: x)(1)
print(observation.report().run.traces)
'''
print(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout)
""",
        observe=False,
    )
    assert ran.output.split() == ["0", "False", "False", "1"]
