"""When are fully static shapes slower than `None` on a CPU? Down to the one operation responsible.

    python benchmarks/static_shapes.py

The smallest program: `tf.matmul(q, k) * c + addend` with four axes. With static shapes, grappler's
remapper turns the three operations into one, `_MklFusedBatchMatMulV2`, which computes the sum as a
oneDNN post-operation; with `None` it cannot, and runs them one after another. For some shapes of the
addend oneDNN has no fast kernel for that. Prints static / `None` for each shape of the addend,
measured in turns in one process, and the same with the remapper, and with oneDNN, switched off.

oneDNN is on by default only where the processor has instructions for neural networks (AVX512_VNNI
and the like), so it is switched on here by TF_ENABLE_ONEDNN_OPTS=1.
"""

import os
import subprocess
import sys
from statistics import median
from time import perf_counter

os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf
from tensorflow.python.eager import context

BATCH, HEADS, FRAMES, TEXT, DEPTH = 4, 4, 200, 100, 32
ADDENDS = {
    "a mask of the keys     [batch, 1, 1, text]": (BATCH, 1, 1, TEXT),
    "a mask of all pairs    [batch, 1, frames, text]": (BATCH, 1, FRAMES, TEXT),
    "one per head and pair  [batch, heads, frames, text]": (BATCH, HEADS, FRAMES, TEXT),
    "a bias of the position [1, 1, frames, text]": (1, 1, FRAMES, TEXT),
    "a mask of the queries  [batch, 1, frames, 1]": (BATCH, 1, FRAMES, 1),
}
REPEATS = 5
FUSED = "_MklFusedBatchMatMulV2"


def scores(queries: tf.Tensor, keys: tf.Tensor, addend: tf.Tensor) -> tf.Tensor:
    return tf.matmul(queries, keys, transpose_b=True) * 0.125 + addend  # [batch, heads, frames, text]


def is_fused(function, arguments: list[tf.Tensor]) -> bool:
    """Whether the first call of a function runs the fused operation."""
    context.enable_graph_collection()
    function(*arguments)
    graphs = context.export_run_metadata().function_graphs
    context.disable_graph_collection()
    return any(node.op == FUSED for one in graphs for node in one.post_optimization_graph.node)


def seconds(function, arguments: list[tf.Tensor], remapping: bool) -> float:
    # The options in force at the call count, not those at the trace: set them, and call once before.
    tf.config.optimizer.set_experimental_options({"remapping": remapping})
    function(*arguments)
    began = perf_counter()
    function(*arguments).numpy()
    return perf_counter() - began


def measure(shape: tuple[int, ...]) -> tuple[float, float, bool, float]:
    """static / None, the same without the remapper, whether it was fused, the largest difference."""
    queries = tf.random.normal([BATCH, HEADS, FRAMES, DEPTH])
    keys = tf.random.normal([BATCH, HEADS, TEXT, DEPTH])
    arguments = [queries, keys, tf.random.normal(shape)]
    tf.config.optimizer.set_experimental_options({"remapping": True})
    static = tf.function(scores)
    fused = is_fused(static, arguments)
    free = tf.function(scores, input_signature=[tf.TensorSpec([None] * 4, tf.float32)] * 3)
    variants = {"static": (static, True), "none": (free, True), "plain": (static, False)}
    taken: dict[str, list[float]] = {name: [] for name in variants}
    for _ in range(REPEATS):
        for name, (function, remapping) in variants.items():
            taken[name].append(seconds(function, arguments, remapping))
    middle = {name: median(values) for name, values in taken.items()}
    tf.config.optimizer.set_experimental_options({"remapping": True})
    apart = float(tf.reduce_max(tf.abs(static(*arguments) - free(*arguments))))
    return middle["static"] / middle["none"], middle["plain"] / middle["none"], fused, apart


def main() -> None:
    state = "on" if os.environ["TF_ENABLE_ONEDNN_OPTS"] == "1" else "off"
    print(f"oneDNN {state}, TensorFlow {tf.__version__}, {FRAMES} frames x {TEXT} symbols")
    print(f"{'addend':<54} static/None  without remapper  fused")
    for name, shape in ADDENDS.items():
        ratio, plain, fused, apart = measure(shape)
        assert apart < 1e-3, f"the fused operation computes something else: {apart}"
        print(f"{name:<54} {ratio:>10.2f}x {plain:>16.2f}x  {FUSED if fused else '-'}")
    if state == "on" and "--once" not in sys.argv:
        print()
        environment = {**os.environ, "TF_ENABLE_ONEDNN_OPTS": "0"}
        subprocess.run([sys.executable, __file__, "--once"], env=environment, check=True)


if __name__ == "__main__":
    main()
