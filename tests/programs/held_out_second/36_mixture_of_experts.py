"""Mixture of experts with hard routing of a whole batch (one expert for each task)."""
import numpy as np
import tensorflow as tf


class Expert(tf.Module):
    def __init__(self, inputs, outputs, seed):
        super().__init__()
        self.w = tf.Variable(tf.random.stateless_normal([inputs, outputs], [seed, 1]) * 0.3)
        self.b = tf.Variable(tf.zeros([outputs]))

    def __call__(self, x):
        return x @ self.w + self.b


class MultiTask(tf.Module):
    def __init__(self, tasks, features=6, hidden=8):
        super().__init__()
        self.shared = Expert(features, hidden, 100)
        self.experts = [Expert(hidden, 1, i) for i in range(tasks)]

    def route(self, task):
        return self.experts[task]

    def __call__(self, x, task):
        h = tf.nn.relu(self.shared(x))
        return self.route(task)(h)


def build_step(model, lr):
    @tf.function
    def step(batch):
        with tf.GradientTape() as tape:
            pred = model(batch["x"], batch["task"])
            loss = tf.reduce_mean(tf.square(pred - batch["y"]))
        for v, g in zip(model.trainable_variables, tape.gradient(loss, model.trainable_variables)):
            if g is not None:
                v.assign_sub(lr * g)
        return loss
    return step


def task_stream(tasks, batches, seed=0):
    rng = np.random.default_rng(seed)
    coef = rng.normal(size=(tasks, 6, 1))

    def generate():
        for _ in range(batches):
            task = rng.integers(tasks)
            x = rng.normal(size=(16, 6))
            yield {"x": x, "y": x @ coef[task], "task": task}

    return tf.data.Dataset.from_generator(generate, output_signature={
        "x": tf.TensorSpec([16, 6], tf.float32), "y": tf.TensorSpec([16, 1], tf.float32),
        "task": tf.TensorSpec([], tf.int32)})


def main():
    model = MultiTask(3)
    step = build_step(model, 0.05)
    losses = [float(step(batch)) for batch in task_stream(3, 30)]
    print("first %.3f last %.3f" % (np.mean(losses[:5]), np.mean(losses[-5:])))


if __name__ == "__main__":
    main()
