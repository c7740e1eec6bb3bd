"""Programs at the borders of the loud rules: right ones, which must be silent, and their wrong neighbours."""

from inspect import cleandoc

import pytest

from graphdoctor.config import Config
from graphdoctor.judging import check_module
from graphdoctor.source import parse_module

HEAD = """\
import numpy as np
import tensorflow as tf
class Agent:
    def __init__(self):
        self.lr, self.clip, self.size, self.verbose = 1.0, 1.0, 1, True
        self.opt = tf.keras.optimizers.SGD(1.0)
        self.model = tf.keras.Sequential([tf.keras.Input([2]), tf.keras.layers.Dense(1)])
    @tf.function
    def step(self, x):
        {}
agent = Agent()
x = tf.ones([2, 2])
"""
READ = "return x * self.lr"
NET = """\
import tensorflow as tf
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense, self.gain = tf.keras.layers.Dense(1), 1.0
    def call(self, data):
        first = data if tf.is_tensor(data) else tf.nest.flatten(data)[0]
        return self.dense(first) * self.gain
net = Net()
net.compile("sgd", "mse")
x, y = tf.ones([4, 2]), tf.ones([4, 1])
"""
STATE = {
    "what the first batch decides": (
        READ,
        """
        agent.lr = None
        rng = np.random.default_rng(0)
        for _ in range(30):
            batch = rng.normal(size=(2, 2)).astype("float32")
            if agent.lr is None: agent.lr = float(np.abs(batch).max())
            agent.step(tf.constant(batch))
        """,
        """
        rng = np.random.default_rng(0)
        for _ in range(30):
            batch = rng.normal(size=(2, 2)).astype("float32")
            agent.lr = float(np.abs(batch).max())
            agent.step(tf.constant(batch))
        """,
    ),
    "a change behind which the loop is left": (
        READ,
        """
        while True:
            if float(tf.reduce_sum(agent.step(x))) < 2.0:
                agent.lr = 0.1
                break
        """,
        """
        while True:
            if float(tf.reduce_sum(agent.step(x))) < 2.0:
                agent.lr = 0.1
        """,
    ),
    "a change where an iterator is at its end": (
        READ,
        """
        rows = iter(tf.data.Dataset.from_tensors(x))
        while True:
            try:
                batch = next(rows)
            except StopIteration:
                agent.lr = 0.0
                break
            agent.step(x)
        """,
        """
        rows = iter(tf.data.Dataset.from_tensors(x).repeat())
        while True:
            batch = next(rows)
            agent.step(x)
            if float(tf.reduce_sum(batch)) > 3.0: agent.lr = 0.0
        """,
    ),
    "a change that also ends the condition of the loop": (
        READ,
        """
        running = True
        while running:
            if float(tf.reduce_sum(agent.step(x))) < 2.0:
                agent.lr = 0.1
                running = False
        """,
        """
        running = True
        while running:
            if float(tf.reduce_sum(agent.step(x))) < 2.0:
                agent.lr = 0.1
        """,
    ),
    "a change that also says that it is done": (
        READ,
        """
        done = False
        while not done:
            if float(tf.reduce_sum(agent.step(x))) < 2.0:
                agent.lr = 0.1
                done = True
        """,
        """
        done = False
        while not done:
            if float(tf.reduce_sum(agent.step(x))) < 2.0:
                agent.lr = 0.1
                done = False
        """,
    ),
    "a change at the first iteration": (
        READ,
        """
        for i in range(1000):
            r = np.random.normal(size=(2, 2)).astype("float32")
            if i == 0: agent.lr = float(1.0 / np.mean(r ** 2))
            agent.step(tf.constant(r))
        """,
        """
        for i in range(1000):
            r = np.random.normal(size=(2, 2)).astype("float32")
            if i % 10 == 0: agent.lr = float(1.0 / np.mean(r ** 2))
            agent.step(tf.constant(r))
        """,
    ),
    "a change behind which a function is left": (
        READ,
        """
        def descend(agent):
            for _ in range(30):
                if float(tf.reduce_sum(agent.step(x))) < 2.0:
                    agent.lr = 0.1
                    return
        descend(agent)
        """,
        """
        def descend(agent):
            for _ in range(30):
                for _ in range(30):
                    if float(tf.reduce_sum(agent.step(x))) < 2.0:
                        agent.lr = 0.1
                        break
        descend(agent)
        """,
    ),
    "a flag for messages": (
        "if self.verbose: print('tracing step')\n        return x",
        "agent.step(x)\nagent.verbose = False\nagent.step(x)",
        "",
    ),
    "what an assertion asks": (
        "assert self.size > 0, 'empty'\n        return x",
        """
        for _ in range(9):
            agent.step(x)
            agent.size += 1
        """,
        "",
    ),
    "whether it is None": (
        "if self.clip is not None: x = x * 2.0\n        return x",
        "agent.step(x)\nagent.clip = 2.0\nagent.step(x)",
        "agent.clip = None\nagent.step(x)\nagent.clip = 2.0\nagent.step(x)",
    ),
    "the rate of an optimizer": (
        "return x * self.opt.learning_rate",
        """
        for rate in (1.0, 0.5, 0.25):
            agent.opt.learning_rate = rate
            agent.step(x)
        """,
        "",
    ),
    "a model that is made of the layers of the one before": (
        "return self.model(x)",
        "agent.step(x)\nagent.model = tf.keras.Sequential([agent.model])\nagent.step(x)",
        "agent.step(x)\nagent.model = tf.keras.Sequential([agent.model, tf.keras.layers.Dense(1)])\n"
        "agent.step(x)",
    ),
}
KERAS = {
    "data of another structure, through one helper": (
        """
        def evaluate(model, data): return model.predict(data, verbose=0)
        evaluate(net, x)
        net.gain = 2.0
        evaluate(net, {"a": x, "b": x})
        """,
        """
        def evaluate(model, data): return model.predict(data, verbose=0)
        evaluate(net, x)
        net.gain = 2.0
        evaluate(net, x)
        """,
    ),
    "weights for the samples": (
        "net.evaluate(x, y)\nnet.gain = 2.0\nnet.evaluate(x, y, sample_weight=tf.ones([4]))",
        "net.evaluate(x, y)\nnet.gain = 2.0\nnet.evaluate(x, y, verbose=0)",
    ),
    "a batch, and then all": (
        "net.train_on_batch(x, y)\nnet.gain = 2.0\nnet.fit(x, y)",
        "net.train_on_batch(x, y)\nnet.gain = 2.0\nnet.train_on_batch(x, y)",
    ),
    "a batch, and then all, of data that is unknown": (
        "from elsewhere import a, b\nnet.train_on_batch(a, b)\nnet.gain = 2.0\nnet.fit(a, b)",
        "from elsewhere import a, b\nnet.fit(a, b)\nnet.gain = 2.0\nnet.fit(a, y=b)",
    ),
    "one array, and then two, whose shapes are unknown": (
        """
        from elsewhere import rows
        def evaluate(model, data): return model.predict(data, verbose=0)
        evaluate(net, rows)
        net.gain = 2.0
        evaluate(net, {"a": rows, "b": rows})
        """,
        """
        from elsewhere import rows
        def evaluate(model, data): return model.predict(data, verbose=0)
        evaluate(net, rows)
        net.gain = 2.0
        evaluate(net, rows)
        """,
    ),
}
OTHERS = {
    "the index of a layer behind the input": (
        """
        m = tf.keras.Sequential(
            [tf.keras.Input([2]), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)]
        )
        opt = tf.keras.optimizers.SGD(0.1)
        with tf.GradientTape() as t:
            loss = tf.reduce_mean((m(tf.ones([2, 2]), training=True) - 1.0) ** 2)
        vs = m.layers[1].variables
        opt.apply_gradients(zip(t.gradient(loss, vs), vs))
        """,
        ("m.layers[1]", "m.layers[0]"),
    ),
    "an optimizer that makes no variables": (
        """
        w = tf.Variable(1.0)
        @tf.function
        def step(opt):
            with tf.GradientTape() as t: loss = w * w
            opt.apply_gradients([(t.gradient(loss, w), w)])
        for rate in (0.1, 0.2): step(tf.keras.optimizers.SGD(rate))
        """,
        ("SGD(rate)", "SGD(rate, momentum=0.9)"),
    ),
    "a count that each trace begins again": (
        """
        class Hyper(tf.Module):
            def __init__(self):
                self.at, self.theta = 0, tf.Variable(tf.range(6.0))
            def take(self, n):
                self.at += n
                return self.theta[self.at - n:self.at]
            @tf.function
            def __call__(self, x):
                self.at = 0
                return x * self.take(3) + self.take(3)
        h = Hyper()
        for k in range(3): h(tf.ones([3]) * k)
        print(h.at)
        """,
        ("self.at = 0\n", "pass\n"),
    ),
    "a count that each trace begins again, and one that some do": (
        """
        from elsewhere import fresh
        class Hyper(tf.Module):
            def __init__(self):
                self.at = 0
            @tf.function
            def __call__(self, x):
                if True: self.at = 0
                self.at += 1
                return x
        h = Hyper()
        for k in range(3): h(tf.ones([3]) * k)
        print(h.at)
        """,
        ("if True:", "if fresh():"),
    ),
    "gradients by a name, handed to a helper that leaves out None": (
        """
        m = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
        opt = tf.keras.optimizers.SGD(0.1)
        def clean(pairs): return [(g * 2.0, v) for g, v in pairs if g is not None]
        m(tf.ones([2, 2]))
        with tf.GradientTape() as t: loss = tf.reduce_mean(m(tf.ones([2, 2]), training=True) ** 2)
        slopes = t.gradient(loss, m.variables)
        opt.apply_gradients(clean(zip(slopes, m.variables)))
        """,
        (" if g is not None", ""),
    ),
    "a global count that each trace begins again": (
        """
        at = 0
        def take(theta):
            global at
            at += 1
            return theta[at - 1]
        @tf.function
        def net(x, theta):
            global at
            at = 0
            return take(theta) * x + take(theta)
        for k in range(3): net(tf.constant(float(k)), tf.constant([2.0, 3.0]))
        print("parameters used:", at)
        """,
        ("    at = 0\n", "    pass\n"),
    ),
    "a helper that leaves out what has no gradient": (
        """
        m = tf.keras.Sequential([tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
        opt = tf.keras.optimizers.SGD(0.1)
        def clean(pairs): return [(g * 2.0, v) for g, v in pairs if g is not None]
        m(tf.ones([2, 2]))
        with tf.GradientTape() as t: loss = tf.reduce_mean(m(tf.ones([2, 2]), training=True) ** 2)
        opt.apply_gradients(clean(zip(t.gradient(loss, m.variables), m.variables)))
        """,
        (" if g is not None", ""),
    ),
}


def loud(text: str) -> list[str]:
    found = check_module(parse_module("program.py", text), Config())
    return [f"{each.rule}:{each.line}" for each in found if each.is_shown]


@pytest.mark.parametrize("name", STATE)
def test_state_that_does_not_go_stale(name: str) -> None:
    body, right, wrong = STATE[name]
    head = HEAD.format(body)
    assert loud(head + cleandoc(right)) == []
    assert not wrong or len(loud(head + cleandoc(wrong))) == 1


@pytest.mark.parametrize("name", KERAS)
def test_a_step_of_keras_for_other_data(name: str) -> None:
    right, wrong = KERAS[name]
    assert loud(NET + cleandoc(right)) == []
    assert loud(NET + cleandoc(wrong)) == ["GD215:8"]


@pytest.mark.parametrize("name", OTHERS)
def test_what_seems_to_be_wrong_and_is_not(name: str) -> None:
    program, (good, bad) = OTHERS[name]
    text = "import tensorflow as tf\n" + cleandoc(program) + "\n"
    assert good in text
    assert loud(text) == []
    assert len(loud(text.replace(good, bad))) == 1
