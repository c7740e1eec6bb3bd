"""What a training step and a sample of the handwriting network cost, variant beside variant.

`python benchmarks/handwriting.py` prints, for each hidden size, the step time of every variant as
a ratio to `parallel` (cumsum, hand-written backward), measured in turns on one thread; then
growth with the length, peak memory in processes of their own, and the sampler. All of it takes half
an hour; one part at a time: `--hidden 400 --only steps --variants graves cumsum --modes xla`.
"""

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import tensorflow as tf

from variants import handwriting as variants

Step = Callable[[], tf.Tensor]
REFERENCE = "parallel"  # takes part in every comparison
MODES = {"graph": "", "xla": " + XLA"}  # and what each adds to a variant's name
PARTS = ("steps", "growth", "memory", "sampling", "others")


class Prepared(NamedTuple):
    """A variant that is traced and has run once."""

    step: Step
    trace_seconds: float
    first_seconds: float
    nodes: int


def prepare(name: str, xla: bool, size: variants.Size) -> Prepared:
    """Build, trace and run a variant once."""
    step = variants.make_step(name, size)
    inputs = variants.make_inputs(size)
    if name == "eager":
        begun = time.process_time()
        step(*inputs).numpy()
        return Prepared(lambda: step(*inputs), 0.0, time.process_time() - begun, 0)
    function = tf.function(step, jit_compile=xla)
    begun = time.process_time()
    concrete = function.get_concrete_function(*inputs)
    traced = time.process_time()
    function(*inputs).numpy()
    definition = concrete.graph.as_graph_def()
    nodes = len(definition.node) + sum(len(f.node_def) for f in definition.library.function)
    first = time.process_time() - traced
    return Prepared(lambda: function(*inputs), traced - begun, first, nodes)


def in_iterations(steps: dict[str, Step], repeats: int) -> dict[str, float]:
    """Median processor seconds of each step; every round runs all of them once, in another order.

    Processor time on one thread, because other programs hardly change it. What shares the memory
    does, by a tenth: a figure that matters is taken on a quiet machine.
    """
    seconds: dict[str, list[float]] = {name: [] for name in steps}
    for iteration in range(repeats):
        # Another order, because what ran before a step leaves it caches and memory, good or bad.
        for name in random.Random(iteration).sample(list(steps), len(steps)):
            begun = time.process_time()
            steps[name]().numpy()
            seconds[name].append(time.process_time() - begun)
    return {name: statistics.median(values) for name, values in seconds.items()}


def gemm_step(size: int = 1024) -> Step:
    """A large matrix product, to learn what the machine can do."""
    matrix = tf.random.stateless_normal([size, size], [1, 2])
    product = tf.function(lambda: tf.matmul(matrix, matrix))
    product()
    return product


def ways_of(chosen: Iterable[str], modes: Iterable[str]) -> dict[str, tuple[str, bool]]:
    """Each way to run a variant: its printed name, the variant, and whether XLA compiles it."""
    return {
        name + MODES[mode]: (name, mode == "xla")
        for mode in modes
        for name in chosen
        if (name, mode) != ("eager", "xla")
    }


def compare(size: variants.Size, repeats: int, ways: dict[str, tuple[str, bool]]) -> None:
    """Print the table of one hidden size."""
    print(f"\nhidden {size.hidden}, time {size.time}, batch {size.batch}: one training step")
    print("| variant | step | GEMM limit | trace s | first call s | nodes |")
    print("|---|---|---|---|---|---|")
    ways = {REFERENCE: (REFERENCE, False), **ways}
    prepared = {shown: prepare(name, xla, size) for shown, (name, xla) in ways.items()}
    steps = {name: one.step for name, one in prepared.items()}
    seconds = in_iterations({**steps, "gemm": gemm_step()}, repeats)
    rate = 2 * 1024**3 / seconds.pop("gemm")
    for name, one in prepared.items():
        limit = variants.step_operations(ways[name][0], size) / rate
        cells = [
            name,
            f"{seconds[name] / seconds[REFERENCE]:.2f}",
            f"{seconds[name] / limit:.2f}",
            f"{one.trace_seconds:.1f}" if one.nodes else "-",
            f"{one.first_seconds:.1f}",
            str(one.nodes) if one.nodes else "-",
        ]
        print("| " + " | ".join(cells) + " |", flush=True)
    print(f"`{REFERENCE}` took {seconds[REFERENCE]:.3f} s; GEMM rate {rate / 1e9:.0f} GFLOP/s")


def growth(size: variants.Size, names: Iterable[str], repeats: int) -> None:
    """Print how the step grows with the length."""
    lengths = [size.time // 2, size.time, 2 * size.time]
    print(f"\nhidden {size.hidden}: step time by length, relative to {lengths[0]} points")
    print("| variant | " + " | ".join(map(str, lengths)) + " |")
    print("|---|---|---|---|")
    names = list(names)
    steps = {
        f"{name} {length}": prepare(name, False, size._replace(time=length)).step
        for name in names
        for length in lengths
    }
    seconds = in_iterations(steps, repeats)
    for name in names:
        base = seconds[f"{name} {lengths[0]}"]
        cells = [f"{seconds[f'{name} {length}'] / base:.2f}" for length in lengths]
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def memory(size: variants.Size, ways: dict[str, tuple[str, bool]]) -> None:
    """Print the peak memory of two steps, each variant in a process of its own."""
    print(f"\nhidden {size.hidden}: peak resident memory of a process that takes two steps")
    for shown, (name, xla) in ways.items():
        command = [sys.executable, __file__, "--peak", name, "--hidden", str(size.hidden)]
        command += ["--time", str(size.time), "--batch", str(size.batch)]
        command += ["--modes", "xla" if xla else "graph"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        print(f"{shown}: {done.stdout.strip()} MB", flush=True)


def peak(name: str, xla: bool, size: variants.Size) -> None:
    prepared = prepare(name, xla, size)
    prepared.step().numpy()
    print(round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def sampling(repeats: int, points: int = 120) -> None:
    """Print what a point costs in the one graph, and from Python loops over steps."""
    loops = variants.sampling_loops(points)
    seconds = in_iterations(loops, repeats)
    print(f"\nsampling {points} points, relative to the one graph")
    for name, value in seconds.items():
        print(f"{name}: {value / seconds['one graph']:.1f}")


def others(size: variants.Size, python: str, repeats: int) -> None:
    """Print torch and JAX beside their own GEMM limits, where they are installed."""
    print(f"\nhidden {size.hidden}: other frameworks, step time over their own GEMM limit")
    arguments = [str(value) for value in (size.hidden, size.time, size.batch, repeats)]
    for framework in ("torch", "jax"):
        script = Path(__file__).parent / "variants" / f"handwriting_{framework}.py"
        command = [python, str(script), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"{framework}: {done.stderr.strip().splitlines()[-1]}")
            continue
        seconds = {name: float(value) for name, value in map(str.split, done.stdout.splitlines())}
        rate = 2 * 1024**3 / seconds.pop("gemm")
        for name, value in seconds.items():
            ratio = value / (variants.step_operations(name, size) / rate)
            print(f"{framework} {name}: {ratio:.2f} ({value:.2f} s)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hidden", type=int, nargs="+", default=[100, 400])
    parser.add_argument("--time", type=int, default=300)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument(
        "--variants", nargs="+", choices=list(variants.VARIANTS), default=list(variants.VARIANTS)
    )
    parser.add_argument("--python", default=sys.executable, help="an interpreter with torch or JAX")
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    parser.add_argument("--modes", nargs="+", choices=list(MODES), default=list(MODES))
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    sizes = [variants.Size(hidden, options.time, options.batch) for hidden in options.hidden]
    if options.peak:
        peak(options.peak, options.modes == ["xla"], sizes[0])
        return
    ways = ways_of(options.variants, options.modes)
    if "steps" in options.only:
        for size in sizes:
            compare(size, options.repeats, ways)
    if "growth" in options.only:
        growth(sizes[0], [name for name in options.variants if name != "eager"], options.repeats)
    if "memory" in options.only:
        memory(sizes[0], ways)
    if "sampling" in options.only:
        sampling(options.repeats)
    if "others" in options.only:
        for size in sizes:
            others(size, options.python, options.repeats)


if __name__ == "__main__":
    main()
