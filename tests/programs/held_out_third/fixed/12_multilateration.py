"""Indoor positioning: Gauss-Newton on ranges to wall-mounted UWB anchors."""
import numpy as np
import tensorflow as tf


def ranges_and_jacobian(pos, anchors):
    diff = pos[None, :] - anchors
    dist = tf.norm(diff, axis=1)
    return dist, diff / dist[:, None]


def newton_direction(normal, rhs, ridge=1e-3):
    """Solve the normal equations, damped since the geometry can be degenerate."""
    return tf.linalg.solve(normal + ridge * tf.eye(2, dtype=normal.dtype), rhs)


def gauss_newton_step(pos, anchors, measured):
    """One update; anchors that were not heard report a negative range."""
    dist, jac = ranges_and_jacobian(pos, anchors)
    heard = tf.cast(measured >= 0.0, tf.float32)[:, None]
    normal = tf.matmul(jac, heard * jac, transpose_a=True)
    rhs = tf.matmul(jac, heard * (dist - measured)[:, None], transpose_a=True)
    return pos - tf.squeeze(newton_direction(normal, rhs), -1)


class Tracker:
    def __init__(self, anchors, iterations=6):
        self.anchors = tf.constant(anchors, tf.float32)
        self.iterations = iterations

    @tf.function
    def locate(self, start, measured):
        pos = start
        for _ in tf.range(self.iterations):
            pos = gauss_newton_step(pos, self.anchors, measured)
        return pos

    def follow(self, start, readings):
        track, pos = [], start
        for measured in readings:
            pos = self.locate(pos, measured)
            track.append(pos.numpy())
        return np.array(track)


def walk(anchors, n=12, seed=0):
    rng = np.random.default_rng(seed)
    t = np.linspace(0, 1, n)
    path = np.stack([1.0 + 3.0 * t, 1.2 + 2.0 * np.sin(np.pi * t)], -1)
    d = np.linalg.norm(path[:, None] - anchors[None], axis=-1) + rng.normal(0, 0.01, (n, len(anchors)))
    d[0, 1:] = -1.0  # at the door only the first anchor is in line of sight
    return path, d.astype("float32")


def main():
    anchors = np.array([[1.0, 0.0], [3.0, 0.0], [5.0, 4.0]], "float32")
    path, readings = walk(anchors)
    door = tf.constant([1.0, 1.0])

    first = gauss_newton_step(door, tf.constant(anchors), tf.constant(readings[0]))
    print("first correction:", first.numpy())

    track = Tracker(anchors).follow(door, tf.constant(readings))
    err = np.linalg.norm(track - path, axis=1)
    print(f"mean error {err.mean():.3f} m, worst {err.max():.3f} m")


if __name__ == "__main__":
    main()
