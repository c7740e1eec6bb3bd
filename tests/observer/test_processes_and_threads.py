"""Forked processes and threads: each trace goes where it belongs."""

import pytest
from tests.running import TensorFlowServer

from graphdoctor.recording import find_recordings, read_recording

pytestmark = pytest.mark.tensorflow

FORKING = """
import multiprocessing
import os
import tensorflow as tf


@tf.function
def scale(x, step):
    return x * step


def work(times):
    for step in range(times):
        scale(tf.ones([2]), step)


fork = multiprocessing.get_context("fork")
workers = [fork.Process(target=work, args=(times,)) for times in (2, 3)]
idle = fork.Process(target=print)
for process in [*workers, idle]:
    process.start()
for process in [*workers, idle]:
    process.join()
plain = os.fork()
if plain == 0:
    work(4)
    os._exit(0)
os.waitpid(plain, 0)
work(1)
"""


def test_a_forked_process_does_not_write_into_its_parent_s_recording(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(FORKING)
    assert ran.error is None
    assert [path.name for path in ran.folder.glob("*.jsonl")] == ["recording.jsonl"]
    assert (len(ran.recording.traces), ran.recording.complete) == (1, True)


def test_each_forked_process_that_traces_has_a_recording(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(FORKING, subprocesses=True)
    assert ran.error is None
    recordings = [read_recording(path) for path in find_recordings(str(ran.folder))]
    found = sorted((len(recording.traces), recording.complete) for recording in recordings)
    assert found == [(1, True), (2, True), (3, True), (4, False)]  # `os._exit` runs no ending of ours
    assert len({recording.header.process for recording in recordings}) == 4
    parents = {recording.header.process for recording in recordings if len(recording.traces) == 1}
    assert {recording.header.parent for recording in recordings if len(recording.traces) > 1} == parents


def test_threads_do_not_mix_their_traces(tensorflow: TensorFlowServer) -> None:
    ran = tensorflow.run(
        """
import threading
import tensorflow as tf

together = threading.Barrier(4)


@tf.function
def inner(x, k):
    return x * k


@tf.function
def outer(x, k):
    return inner(x, k) + inner(x, -k)


def work(number):
    together.wait()
    for step in range(1, 4):
        outer(tf.ones([2]), 10 * number + step)


threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
    )
    assert ran.error is None
    traces = {trace.number: trace for trace in ran.recording.traces}
    assert len(traces) == len(ran.recording.traces) == 12 + 24
    assert len({trace.thread for trace in traces.values()}) == 4
    for trace in traces.values():
        if trace.function.name == "inner":
            assert trace.trace
            parent = traces[trace.trace]
            assert (parent.function.name, parent.thread) == ("outer", trace.thread)
            assert parent.arguments[1].text == trace.arguments[1].text.lstrip("-")
    assert ran.recording.complete
