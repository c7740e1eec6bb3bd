"""Fully static shapes are never slower than `None`

A graph in which every size is known can only be optimised better than one with unknown sizes.

Say instead: measure both. With oneDNN (the default on processors that have AVX512_VNNI), grappler fuses
`tf.matmul(q, k) * c + addend` with four known axes into one operation, `_MklFusedBatchMatMulV2`. For a
mask of the queries or a bias that all examples share, oneDNN computes that sum by a slow way; with `None`
nothing is fused, and three fast operations run. `benchmarks/static_shapes.py` has other addends, and the
same without the remapper and without oneDNN.
"""

import os
import subprocess
import sys
import time

if os.environ.get("TF_ENABLE_ONEDNN_OPTS") != "1":  # read when TensorFlow starts
    subprocess.run([sys.executable, __file__], env={**os.environ, "TF_ENABLE_ONEDNN_OPTS": "1"}, check=True)
else:
    import tensorflow as tf

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    queries, keys = tf.random.normal([2, 4, 100, 32]), tf.random.normal([2, 4, 50, 32])

    def scores(queries, keys, addend):
        return tf.matmul(queries, keys, transpose_b=True) * 0.125 + addend

    slowest = 0.0
    for name, shape in {"the keys": [2, 1, 1, 50], "the queries": [2, 1, 100, 1]}.items():
        unknown = [tf.TensorSpec([None] * 4)] * 3
        functions = {"static": tf.function(scores), "none": tf.function(scores, input_signature=unknown)}
        times = {"static": [], "none": []}
        for number in range(8):
            for kind, function in functions.items():
                start = time.process_time()
                function(queries, keys, tf.ones(shape)).numpy()
                if number >= 3:
                    times[kind].append(time.process_time() - start)
        ratio = min(times["static"]) / min(times["none"])
        slowest = max(slowest, ratio)
        print(f"with a mask of {name}, static takes {ratio:.1f} times as long as `None`")
    print("verdict:", "false" if slowest > 2 else "depends")
