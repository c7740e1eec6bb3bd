"""`tune` against variants written and timed by hand: an eager loop, and a `fit` that waits for input.

The tuned program must be as fast as the fastest of those by hand, within 10 %.
"""

import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

RUNS = 3
ALLOWED = 1.10
LOOP = """import time

import tensorflow as tf

tf.random.set_seed(1)
layers = [tf.keras.layers.Dense(32, activation="relu") for _ in range(3)]
model = tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])
model.build((None, 16))
optimizer = tf.keras.optimizers.Adam()
x, y = tf.random.normal([2048, 16]), tf.random.normal([2048, 1])
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


clocks = []
for epoch in range(2):
    for x, y in data:
        clocks.append(time.perf_counter())
        train_step(x, y)
print("ms/step", 1000 * (clocks[-1] - clocks[16]) / (len(clocks) - 17))
"""
FIT = """import time

import numpy as np
import tensorflow as tf

tf.random.set_seed(1)


def load(index):
    time.sleep(0.004)
    return np.full([16], index % 7, np.float32)


def prepare(index):
    x = tf.numpy_function(load, [index], tf.float32)
    x.set_shape([16])
    return x, tf.reduce_sum(x)


class Clocks(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        clocks.append(time.perf_counter())


clocks = []
data = tf.data.Dataset.range(128).map(prepare).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
model.fit(data, epochs=6, verbose=0, callbacks=[Clocks()])
print("ms/step", 1000 * (clocks[-1] - clocks[1]) / (16 * (len(clocks) - 2)))
"""
STEP, PIPELINE = "def train_step", ".map(prepare).batch(8)"
AHEAD, PARALLEL = ".prefetch(tf.data.AUTOTUNE)", ".map(prepare, num_parallel_calls=tf.data.AUTOTUNE)"
PROGRAMS = {
    "eager loop": (
        LOOP,
        {
            "tf.function": (STEP, f"@tf.function\n{STEP}"),
            "jit_compile": (STEP, f"@tf.function(jit_compile=True)\n{STEP}"),
            "prefetch": (".batch(32)", f".batch(32){AHEAD}"),
        },
    ),
    "input-bound fit": (
        FIT,
        {
            "prefetch": (PIPELINE, PIPELINE + AHEAD),
            "parallel calls": (PIPELINE, f"{PARALLEL}.batch(8)"),
            "parallel calls, prefetch": (PIPELINE, f"{PARALLEL}.batch(8){AHEAD}"),
            "cache": (PIPELINE, ".map(prepare).cache().batch(8)"),
            "cache, prefetch": (PIPELINE, f".map(prepare).cache().batch(8){AHEAD}"),
            "steps_per_execution": ('loss="mse"', 'loss="mse", steps_per_execution=8'),
        },
    ),
}


def main() -> int:
    """Measure both programs; 1 where `tune` missed the fastest variant."""
    missed = 0
    for name, (program, changes) in PROGRAMS.items():
        with tempfile.TemporaryDirectory() as folder:
            tuned = tune(pathlib.Path(folder), program)
        variants = {"as it is": program, **{key: program.replace(*pair) for key, pair in changes.items()}}
        taken: dict[str, list[float]] = {key: [] for key in [*variants, "tune"]}
        for _ in range(RUNS):
            for key, text in [*variants.items(), ("tune", tuned)]:
                taken[key].append(milliseconds(text))
        best = {key: min(values) for key, values in taken.items()}
        fastest = min(variants, key=lambda key: best[key])
        print(f"{name}:")
        for key, values in taken.items():
            print(f"  {key:<26} {best[key]:8.3f} ms/step, median {statistics.median(values):.3f}")
        ratio = best["tune"] / best[fastest]
        print(f"  what tune wrote takes {ratio:.2f} of the fastest by hand ({fastest})")
        missed += ratio > ALLOWED
    return 1 if missed else 0


def tune(folder: pathlib.Path, program: str) -> str:
    """The program as `tune --apply` leaves it."""
    file = folder / "train.py"
    file.write_text(program)
    command = [sys.executable, "-m", "graphdoctor", "tune", "--apply", "-q", "train.py"]
    print(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout, flush=True)
    return file.read_text()


def milliseconds(program: str) -> float:
    """What a step takes, as the program itself says."""
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    found = re.search(r"ms/step ([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])


if __name__ == "__main__":
    sys.exit(main())
