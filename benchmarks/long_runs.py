"""What a long run costs: the memory that the observer holds, and the size of the recording.

    python benchmarks/long_runs.py                           200,000 cached calls, 3,000 traces
    python benchmarks/long_runs.py --calls 20000 --traces 300

Each program runs by itself and under `graphdoctor run`, each in a process of its own, and says how much its
peak of resident memory grew after its first calls. The difference is the observer's. Exit code 1 when a
limit below is passed.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

GROWTH = """
import resource
from tensorflow import function, ones
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
"""
CACHED = """
@function
def step(x):
    return x + 1
x = ones([4])
for _ in range(100):
    step(x)
before = peak()
for _ in range({times}):
    step(x)
print("grew", peak() - before)
"""
TRACED = """
@function
def step(x, number):
    return x * number
x = ones([4])
for number in range(10):
    step(x, number)
before = peak()
for number in range(10, {times}):
    step(x, number)
print("grew", peak() - before)
"""
# What the observer may hold and write: of a run of cached calls in all, of traces for each of them.
MOST_CACHED_BYTES = 32 << 20
MOST_CACHED_RECORDING = 1 << 20
MOST_TRACE_BYTES = 24 << 10
MOST_TRACE_RECORDING = 4 << 10


def main() -> int:
    """Print the table; 1 when something is beyond its limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--traces", type=int, default=3_000)
    options = parser.parse_args()
    print("| program | memory of the observer | recording |\n|---|---|---|")
    within, traces = True, options.traces
    for name, program, times, bytes_limit, recording_limit in (
        ("cached calls", CACHED, options.calls, MOST_CACHED_BYTES, MOST_CACHED_RECORDING),
        ("traces", TRACED, traces, traces * MOST_TRACE_BYTES, traces * MOST_TRACE_RECORDING),
    ):
        held, recorded = measured(GROWTH + program.format(times=times))
        print(f"| {times:,} {name} | {held / 1e6:.1f} MB | {recorded / 1e3:,.0f} kB |", flush=True)
        within &= held <= bytes_limit and recorded <= recording_limit
    print("within the limits" if within else "beyond the limits")
    return 0 if within else 1


def measured(program: str) -> tuple[int, int]:
    """The bytes that the observer held, and those that it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "program.py")
        path.write_text(program, encoding="utf-8")
        recording = path.with_suffix(".jsonl")
        observe = ("-m", "graphdoctor", "run", "-q", "--recording", str(recording))
        observed, plain = grown(*observe, str(path)), grown(str(path))
        return observed - plain, recording.stat().st_size


def grown(*command: str) -> int:
    """What a program says at its end."""
    environment = {**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"}
    done = subprocess.run(
        [sys.executable, *command], capture_output=True, text=True, env=environment, check=True
    )
    return int(done.stdout.split()[-1])


if __name__ == "__main__":
    sys.exit(main())
