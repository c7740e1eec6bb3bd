"""Modules that make their variables when the first input arrives."""
import dataclasses

import tensorflow as tf


@dataclasses.dataclass(frozen=True)
class Spec:
    units: int
    activation: str = "tanh"


class Lazy(tf.Module):
    def __init__(self, spec, name=None):
        super().__init__(name=name)
        self.spec = spec
        self.w = None
        self.b = None

    def __call__(self, x):
        if self.w is None:
            fan_in = int(x.shape[-1])
            self.w = tf.Variable(tf.random.stateless_normal([fan_in, self.spec.units], seed=[fan_in, 1]) * 0.3)
            self.b = tf.Variable(tf.zeros([self.spec.units]))
        return getattr(tf, self.spec.activation)(x @ self.w + self.b)


class Stack(tf.Module):
    def __init__(self, specs):
        super().__init__()
        self.blocks = [Lazy(s, name=f"block{i}") for i, s in enumerate(specs)]
        self.norm = tf.Variable(1.0)

    @tf.function
    def __call__(self, x, training=False):
        outputs = []
        for block in self.blocks:
            x = block(x)
            outputs.append(tf.reduce_mean(tf.abs(x)))
        if training:
            x = tf.nn.dropout(x, 0.2)
        return x * self.norm, tf.stack(outputs)

    def describe(self):
        return ", ".join("%s %s" % (b.name, b.w.shape.as_list()) for b in self.blocks)


def main():
    tf.random.set_seed(6)
    stack = Stack([Spec(8), Spec(4, "sigmoid"), Spec(2)])
    for _ in range(4):
        y, activity = stack(tf.random.normal([5, 3]), training=True)
    y, activity = stack(tf.random.normal([5, 3]))
    print(stack.describe())
    print("output", y.shape, "activity", activity.numpy().round(2).tolist())


if __name__ == "__main__":
    main()
