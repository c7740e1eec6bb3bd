"""Objects that own Variables and are replaced, or thawed, after the trace that read them."""

from inspect import cleandoc

import pytest
from tests.checking import marked

HEAD = "import random\nimport keras\nimport tensorflow as tf\nx = tf.ones([4, 3])\n"
AGENT = """
class Net:
    def __init__(self): self.w = tf.Variable(1.0)
    def __call__(self, x): return x * self.w
class Agent:
    def __init__(self):
        self.online = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        self.sync()
    def sync(self):
        {sync}
    @tf.function
    def learn(self, x):
        return tf.reduce_max(self.target(x))
agent = Agent()
{loop}
"""
THAW = """
class Thaw(keras.callbacks.Callback):
    def __init__(self, base): super().__init__(); self.base = base
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == {when}: self.base.trainable = {value}
base = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
base.trainable = {start}
model = keras.Sequential([base, keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, tf.ones([4, 1]), epochs={epochs}, callbacks=[Thaw(base)])
"""
CLONED = "self.target = keras.models.clone_model(self.online)"
OFTEN = "for i in range(9):\n    agent.learn(x)\n    agent.sync()"
WAITING = """
memory, steps, done = [], 0, False
while not done:
    memory.append(steps)
    steps, done = steps + 1, random.random() < 0.1
    if len(memory) >= 16:
        agent.learn(x)
        if steps % 5 == 0: agent.sync()
"""


def reported(program: str) -> list[str]:
    """What the findings about state that changed point at."""
    return [each for rule in ("GD214", "GD215") for each in marked(HEAD + cleandoc(program), rule)]


def agent(sync: str, loop: str) -> str:
    return AGENT.format(sync=sync, loop=loop)


SILENT = {
    "weights are set": agent(
        "if not hasattr(self, 'target'): self.target = Net()\n        self.target.w.assign(0.0)", OFTEN
    ),
    "replaced before the trace": agent(CLONED, "agent.sync(); agent.learn(x); agent.learn(x)"),
    "replaced after the last call": agent(CLONED, "agent.learn(x); agent.learn(x); agent.sync()"),
    "a function for each object": """
        def train(model):
            @tf.function
            def step(x): return model(x)
            step(x), step(x)
        for fold in range(3): train(keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)]))
        """,
    "given as an argument": """
        @tf.function
        def step(model, x): return model(x)
        for fold in range(3):
            model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
            step(model, x), step(model, x)
        """,
    "metrics in a dict that are reset": """
        class Meter:
            def __init__(self): self.means = {"loss": keras.metrics.Mean()}
            def update(self, value): self.means["loss"].update_state(value)
        class Trainer:
            def __init__(self): self.meter, self.log = Meter(), []
            @tf.function
            def step(self, x): self.meter.update(x)
            def run(self):
                for epoch in range(9):
                    self.meter.means["loss"].reset_state()
                    self.log = []
                    self.step(x)
        Trainer().run()
        """,
    "what the traced code does not read": """
        class Trainer:
            def __init__(self): self.model, self.best = keras.layers.Dense(2), None
            @tf.function
            def step(self, x): return self.model(x)
        trainer = Trainer()
        for fold in range(9):
            trainer.step(x)
            trainer.best = keras.layers.Dense(2)
        """,
    "set by the traced code itself": """
        class Trainer:
            def __init__(self): self.model = None
            @tf.function
            def step(self, x):
                if self.model is None: self.model = keras.layers.Dense(2)
                return self.model(x)
        trainer = Trainer()
        trainer.step(x), trainer.step(x)
        """,
    "traced again with it": """
        class Trainer:
            def reset(self):
                self.model = keras.layers.Dense(2)
                self.step = tf.function(self._step)
            def _step(self, x): return self.model(x)
        trainer = Trainer()
        for fold in range(9):
            trainer.reset()
            trainer.step(x), trainer.step(x)
        """,
    "a list that the condition itself fills": agent(
        CLONED,
        "memory = []\nfor i in range(9):\n    if len(memory) < random.random():\n"
        "        memory.append(i)\n        agent.learn(x)\n        agent.sync()",
    ),
    "thawed in the first epoch, before the trace": THAW.format(when=0, value=True, start=False, epochs=5),
    "thawed as it was": THAW.format(when=3, value=True, start=True, epochs=5),
    "no third epoch": THAW.format(when=3, value=True, start=False, epochs=2),
}
REPORTED = {
    "a clone at each iteration": (agent(CLONED, OFTEN), "self.target"),
    "an object that holds a Variable": (agent("self.target = Net()", OFTEN), "self.target"),
    "in some iterations, when a list is full": (agent(CLONED, WAITING), "self.target"),
    "a metric for each epoch": (
        """
        class Trainer:
            def __init__(self): self.model = keras.layers.Dense(2)
            @tf.function
            def step(self, x): self.mean.update_state(self.model(x))
            def run(self):
                for epoch in range(9):
                    self.mean = keras.metrics.Mean()
                    self.step(x)
                    print(self.mean.result())
        Trainer().run()
        """,
        "self.mean",
    ),
    "metrics in a dict of an object": (
        """
        class Meter:
            def __init__(self): self.means = {"loss": keras.metrics.Mean()}
            def update(self, value): self.means["loss"].update_state(value)
        class Trainer:
            def __init__(self): self.meter = Meter()
            @tf.function
            def step(self, x): self.meter.update(x)
            def run(self):
                for epoch in range(9):
                    self.meter = Meter()
                    self.step(x)
        Trainer().run()
        """,
        "self.meter",
    ),
    "a global optimizer": (
        """
        model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(2)])
        optimizer = keras.optimizers.SGD(0.1)
        @tf.function
        def step(x):
            with tf.GradientTape() as tape: loss = tf.reduce_sum(model(x))
            weights = model.trainable_variables
            optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        step(x)
        optimizer = keras.optimizers.SGD(0.01)
        step(x)
        """,
        "optimizer",
    ),
    "a model's layers are reported once": (
        """
        class Model(keras.Model):
            def __init__(self):
                super().__init__()
                self.a, self.b = keras.layers.Dense(2), keras.layers.Dense(2)
            def call(self, x): return self.a(x) + self.b(x)
        class Trainer:
            def __init__(self): self.model = Model()
            @tf.function
            def step(self, x): return self.model(x)
        trainer = Trainer()
        trainer.step(x)
        trainer.model = Model()
        trainer.step(x)
        """,
        "self.model",
    ),
    "thawed in a later epoch": (
        THAW.format(when=3, value=True, start=False, epochs=5),
        "model.fit(x, tf.ones([4, 1]), epochs=5, callbacks=[Thaw(base)])",
    ),
}


@pytest.mark.parametrize("program", SILENT.values(), ids=SILENT)
def test_silent(program: str) -> None:
    assert reported(program) == []


@pytest.mark.parametrize(("program", "expected"), REPORTED.values(), ids=REPORTED)
def test_reported(program: str, expected: str) -> None:
    assert reported(program) == [expected]
