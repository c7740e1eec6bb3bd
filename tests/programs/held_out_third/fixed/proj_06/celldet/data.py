import numpy as np
import tensorflow as tf


def sample(cfg, rng):
    grid = cfg.size // cfg.stride
    image = rng.normal(0, 0.1, (cfg.size, cfg.size, 1)).astype("float32")
    obj = np.zeros((grid, grid), "float32")
    box = np.zeros((grid, grid, 3), "float32")
    yy, xx = np.mgrid[: cfg.size, : cfg.size]
    for _ in range(rng.integers(0, cfg.max_cells + 1)):
        cy, cx = rng.uniform(4, cfg.size - 4, 2)
        radius = rng.uniform(2, 4)
        image[..., 0] += np.hypot(yy - cy, xx - cx) < radius
        i, j = int(cy // cfg.stride), int(cx // cfg.stride)
        obj[i, j] = 1.0
        box[i, j] = (cy % cfg.stride) / cfg.stride, (cx % cfg.stride) / cfg.stride, radius / 4
    return image, obj, box


def stream(cfg):
    rng = np.random.default_rng(cfg.seed)

    def gen():
        for _ in range(cfg.steps * cfg.batch):
            yield sample(cfg, rng)

    g = cfg.size // cfg.stride
    spec = (tf.TensorSpec([cfg.size, cfg.size, 1]), tf.TensorSpec([g, g]), tf.TensorSpec([g, g, 3]))
    return tf.data.Dataset.from_generator(gen, output_signature=spec).batch(
        cfg.batch, drop_remainder=True)
