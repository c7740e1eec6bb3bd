"""Loops over a tensor's length in Keras code → `tf.while_loop`: what is refused, and a proof by running."""

import ast
from inspect import cleandoc

import pytest
from tests.checking import changed_lines, check, ways
from tests.running import TensorFlowServer

HEAD = "import keras\nimport tensorflow as tf\nfrom keras import ops\n\n\n"
USE = "\n\n\nnet = Net()\nrun = tf.function(lambda x: net(x))\nrun(tf.ones([4, 6, 3]))\n"
NET = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(5)
        self.gate = keras.layers.Dense(5)
        self.outer = keras.layers.Dense(2)

    def call(self, x):
{body}
"""
# Eager code of the original is the measure: a graph of the fixed program must give its values and gradients.
PROOF = """
import keras
import tensorflow as tf


def net_of(text):
    names = {{"__name__": "program"}}
    exec(compile(text, "program", "exec"), names)
    return names["Net"]()


def gradients(net, x):
    with tf.GradientTape() as tape:
        y = net(x)
        loss = tf.reduce_mean(y**2)
    return y, tape.gradient(loss, net.trainable_variables)


def furthest(ones, others):
    return max(float(tf.reduce_max(tf.abs(a - b))) for a, b in zip(ones, others))


x = tf.random.stateless_normal([4, 6, 3], [1, 2])
old, new = net_of({old!r}), net_of({new!r})
traces = []


@tf.function(input_signature=[tf.TensorSpec([None, None, 3])])
def graph(x):
    traces.append(1)
    return gradients(new, x)


old(x)
graph(x)
del traces[:]
new.set_weights(old.get_weights())
wanted, wanted_gradients = gradients(old, x)
eager, eager_gradients = gradients(new, x)
given, given_gradients = graph(x)
print("values", furthest([wanted, wanted], [eager, given]) < 1e-5)
print("whole", len(given_gradients) == len(old.trainable_variables) and None not in given_gradients)
print("gradients", furthest(wanted_gradients * 2, [*eager_gradients, *given_gradients]) < 1e-4)
for variable in new.trainable_variables:
    variable.assign(variable * 0.5 + 0.1)
    before, given = given, graph(x)[0]
    if furthest([before], [given]) < 1e-7:
        print("frozen", variable.path)
old.set_weights(new.get_weights())
shorter = tf.random.stateless_normal([2, 3, 3], [3, 4])
print("another length", furthest([old(shorter)], [graph(shorter)[0]]) < 1e-5)
print("traces", len(traces))
static = keras.Model(inputs := keras.Input([6, 3]), new(inputs))
print("length", static.output.shape[1] if {stacked} else 6)
"""
PROVEN = ["values True", "whole True", "gradients True", "another length True", "traces 0", "length 6"]


def net(body: str, use: str = USE) -> str:
    lines = "".join(f"        {line}\n" if line else "\n" for line in cleandoc(body).splitlines())
    return (
        HEAD
        + cleandoc(NET.format(body="BODY")).replace("        BODY", lines.rstrip()).replace("BODY", lines)
        + use
    )


CARRIED = """
    state = tf.zeros([tf.shape(x)[0], 5])
    outputs = []
    for t in range(tf.shape(x)[1]):
        state = tf.tanh(self.inner(x[:, t]) + self.gate(state))
        outputs.append(self.outer(state))
    return tf.stack(outputs, axis=1)
"""
THREE_LISTS = """
    hidden = self.inner(x)
    steps = tf.shape(x)[1]
    kappas, windows, phis = [tf.zeros([tf.shape(x)[0], 5])], [], []
    for t in range(steps):
        kappa = kappas[-1] + tf.exp(self.gate(hidden[:, t]))
        kappas.append(kappa)
        phi = tf.exp(-(kappa**2))
        phis.append(phi)
        windows.append(phi * hidden[:, t])
    phis = tf.stack(phis, axis=1)
    return self.outer(tf.concat([tf.stack(windows, axis=1), tf.stack(kappas[1:], axis=1), phis], axis=-1))
"""
FIXED = {
    "a carried state": CARRIED,
    "three lists, one with a first element that is left out": THREE_LISTS,
    "a first element that stays": """
        states = [tf.zeros([tf.shape(x)[0], 5])]
        for t in range(tf.shape(x)[1]):
            states.append(tf.tanh(self.inner(x[:, t]) + self.gate(states[-1])))
        return self.outer(tf.stack(states, axis=1))[:, 1:] + self.outer(states[-1])[:, None]
        """,
    "an empty list at the first iteration": """
        states = []
        for t in range(tf.shape(x)[1]):
            previous = states[-1] if states else tf.zeros([tf.shape(x)[0], 5])
            states.append(tf.tanh(self.inner(x[:, t]) + self.gate(previous)))
        return self.outer(tf.stack(states, axis=1))
        """,
    "an `if` for the first iteration": """
        states = []
        for t in range(tf.shape(x)[1]):
            if t == 0:
                previous = tf.zeros([tf.shape(x)[0], 5])
            else:
                previous = states[t - 1]
            states.append(tf.tanh(self.inner(x[:, t]) + self.gate(previous)))
        return self.outer(tf.transpose(tf.stack(states), [1, 0, 2]))
        """,
    "a name that only iterations set": """
        states = []
        for t in range(tf.shape(x)[1]):
            previous = state if t > 0 else tf.zeros([tf.shape(x)[0], 5])
            state = tf.tanh(self.inner(x[:, t]) + self.gate(previous))
            states.append(state)
        return self.outer(tf.stack(states, axis=1))
        """,
    "an element by its number": """
        states = [tf.zeros([tf.shape(x)[0], 5])]
        for t in range(tf.shape(x)[1]):
            states.append(tf.tanh(self.inner(x[:, t]) + self.gate(states[t])))
        return self.outer(tf.stack(states, axis=1))[:, 1:]
        """,
    "elements that are joined": """
        outputs = []
        for t in range(tf.shape(x)[1]):
            outputs += [self.outer(self.gate(self.inner(x[:, t : t + 1])))]
        return tf.concat(outputs, axis=1)
        """,
    "two sums, and one whole number": """
        total, number = 0, 0
        for t in range(tf.shape(x)[1]):
            number = number + 1
            total += tf.reduce_sum(self.outer(self.gate(self.inner(x[:, t, :]))))
        return tf.reshape(total / tf.cast(number, tf.float32), [1, 1, 1])
        """,
    "a range that begins later": """
        last = self.inner(x[:, 0])
        outputs = []
        for t in range(1, tf.shape(x)[1]):
            last = tf.tanh(self.gate(last) + self.inner(x[:, t]))
            outputs.append(last)
        return self.outer(tf.stack(outputs, axis=1))
        """,
    "operations of Keras": """
        state = ops.zeros([ops.shape(x)[0], 5])
        outputs = []
        for t in range(tf.shape(x)[1]):
            state = ops.tanh(self.inner(x[:, t]) + self.gate(state))
            outputs.append(self.outer(state))
        return ops.stack(outputs, axis=1)
        """,
    "a `while` that counts": """
        state = tf.zeros([tf.shape(x)[0], 5])
        outputs = []
        t = 0
        while t < tf.shape(x)[1]:
            state = tf.tanh(self.inner(x[:, t]) + self.gate(state))
            outputs.append(self.outer(state))
            t += 1
        return tf.stack(outputs, axis=1)
        """,
    "a list that each iteration makes": """
        states = [tf.zeros([tf.shape(x)[0], 5]) for _ in range(2)]
        outputs = []
        for t in range(tf.shape(x)[1]):
            value = self.inner(x[:, t])
            renewed = []
            for state in states:
                value = tf.tanh(value + self.gate(state))
                renewed.append(value)
            states = renewed
            outputs.append(self.outer(value))
        return tf.stack(outputs, axis=1)
        """,
    "`tf.range`": CARRIED.replace("in range", "in tf.range"),
    "rows of a tensor": """
        rows = tf.transpose(x, [1, 0, 2])
        state = tf.zeros([tf.shape(x)[0], 5])
        outputs = []
        for row in rows:
            state = tf.tanh(self.inner(row) + self.gate(state))
            outputs.append(self.outer(state))
        return tf.stack(outputs, axis=1)
        """,
    "inside a condition of Python": """
        hidden = self.inner(x)
        if self.gate is not None:
            outputs = []
            for t in range(tf.shape(hidden)[1]):
                # the sum of what came before
                outputs.append(self.gate(hidden[:, t]) if self.outer is not None else x[:, t])
            hidden = tf.stack(outputs, axis=1)
        return self.outer(hidden)
        """,
}
REFUSED = {
    "break": CARRIED.replace(
        "        outputs.append", "        if t > 2:\n            break\n        outputs.append"
    ),
    "an attribute is set": CARRIED.replace(
        "        outputs.append", "        self.last = state\n        outputs.append"
    ),
    "a print": CARRIED.replace("        outputs.append", "        print(t)\n        outputs.append"),
    "an element at some iterations": CARRIED.replace(
        "        outputs.append", "        if self.built:\n            outputs.append"
    ),
    "another list is filled": CARRIED.replace(
        "        outputs.append", "        self.seen.append(state)\n        outputs.append"
    ),
    "two elements at an iteration": CARRIED.replace(
        "        outputs.append", "        outputs.append(self.outer(state))\n        outputs.append"
    ),
    "no value before the loop": CARRIED.replace("    return", "    print(later)\n    return").replace(
        "        outputs.append", "        later = state\n        outputs.append"
    ),
    "a list of an earlier iteration is filled": CARRIED.replace(
        "        outputs.append",
        "        kept = [state] if t == 0 else kept\n        kept.append(state)\n        outputs.append",
    ),
    "another name for a list that stays": CARRIED.replace(
        "        outputs.append",
        "        other = self.seen\n        other.append(state)\n        outputs.append",
    ),
    "the number as text": CARRIED.replace(
        "        outputs.append", '        name = f"step {t}"\n        outputs.append'
    ),
    "a test of the number": CARRIED.replace(
        "        outputs.append", "        if t % 2:\n            state = -state\n        outputs.append"
    ),
    "a slice of what was filled": CARRIED.replace("self.gate(state)", "self.gate(sum(outputs[-2:]))"),
    "a number that becomes a vector": CARRIED.replace("state = tf.zeros([tf.shape(x)[0], 5])", "state = 0.0"),
    "a list for two names": CARRIED.replace("outputs = []", "outputs = others = []"),
    "a base class": CARRIED.replace("        outputs.append", "        super().call\n        outputs.append"),
}


def rule_of(body: str) -> str:
    return "GD333" if "in range" in body else "GD701"


WHILE = FIXED["a `while` that counts"]
REFUSED_WHILE = {
    "counts by two": WHILE.replace("t += 1", "t += 2"),
    "counts sometimes": WHILE.replace(
        "            t += 1", "            if self.built:\n                t += 1"
    ),
    "counts before the end": WHILE.replace("            t += 1", "").replace(
        "            state =", "            t += 1\n            state ="
    ),
    "the number is read afterwards": WHILE.replace(
        "return tf.stack(outputs, axis=1)", "return outputs[t - 1]"
    ),
    "another condition": WHILE.replace("t < tf.shape(x)[1]", "tf.reduce_sum(state) < 10.0"),
    "the end changes": WHILE.replace("t < tf.shape(x)[1]", "t < tf.shape(state)[1]"),
}


@pytest.mark.parametrize("name", REFUSED_WHILE)
def test_no_edit_of_a_while_that_is_no_count(name: str) -> None:
    found = check(net(REFUSED_WHILE[name]), "GD701")
    assert [finding.rule for finding in found] == ["GD701"]
    assert [fix.title for fix in found[0].fixes if "while_loop" in fix.title] == []


@pytest.mark.parametrize("name", REFUSED)
def test_no_edit_where_something_would_be_lost(name: str) -> None:
    text = net(REFUSED[name])
    found = check(text, "GD333")
    assert [finding.rule for finding in found] == ["GD333"]
    assert [fix.title for fix in found[0].fixes if "while_loop" in fix.title] == []


@pytest.mark.parametrize("name", FIXED)
def test_fixed_program_has_no_finding_of_its_loop(name: str) -> None:
    text, rule = net(FIXED[name]), rule_of(FIXED[name])
    (found,) = check(text, rule)
    assert found.fixes[0].title == "Loop with `tf.while_loop`"
    after = ways(text, rule)[0]
    ast.parse(after)
    assert [f for each in ("GD333", "GD701", "GD309", "GD124", "GD709") for f in check(after, each)] == []


@pytest.mark.tensorflow
@pytest.mark.parametrize("name", FIXED)
def test_graph_computes_what_the_loop_computed(name: str, tensorflow: TensorFlowServer) -> None:
    text = net(FIXED[name], use="\n")
    after = ways(net(FIXED[name]), rule_of(FIXED[name]))[0].removesuffix(USE) + "\n"
    stacked = (
        "range(1" not in FIXED[name] and "total" not in FIXED[name] and "concat(outputs" not in FIXED[name]
    )
    ran = tensorflow.run_once(PROOF.format(old=text, new=after, stacked=stacked))
    assert ran.printed.splitlines() == PROVEN, ran.output


def test_edit_of_three_lists() -> None:
    stacked = "tf.experimental.numpy.moveaxis({}.stack(), 0, 1)"
    joined = f"[{stacked.format('windows')}, {stacked.format('kappas')}, phis]"
    assert changed_lines(net(THREE_LISTS), "GD333") == [
        "kappas = tf.TensorArray(tf.float32, size=x.shape[1] or steps)",
        "phis = tf.TensorArray(tf.float32, size=x.shape[1] or steps)",
        "windows = tf.TensorArray(tf.float32, size=x.shape[1] or steps)",
        "hidden_by_step = tf.TensorArray(hidden.dtype, size=tf.shape(hidden)[1], clear_after_read=False)",
        "hidden_by_step = hidden_by_step.unstack(tf.experimental.numpy.moveaxis(hidden, 1, 0))",
        "def step(t, last_kappas, kappas, phis, windows):",
        "kappa = last_kappas + tf.exp(self.gate(hidden_by_step.read(t)))",
        "last_kappas = kappa",
        "kappas = kappas.write(t, last_kappas)",
        "phis = phis.write(t, phi)",
        "windows = windows.write(t, phi * hidden_by_step.read(t))",
        "return t + 1, last_kappas, kappas, phis, windows",
        "*_, kappas, phis, windows = tf.while_loop(",
        "lambda t, *_: t < steps,",
        "step,",
        "(0, tf.zeros([tf.shape(x)[0], 5]), kappas, phis, windows),",
        "maximum_iterations=steps,",
        ")",
        "phis = tf.experimental.numpy.moveaxis(phis.stack(), 0, 1)",
        f"return self.outer(tf.concat({joined}, axis=-1))",
    ]


HELPER = """
def smooth(hidden, gate):
    outputs = []
    last = tf.zeros_like(hidden[:, 0])
    for t in range(tf.shape(hidden)[1]):
        last = 0.5 * last + 0.5 * tf.tanh(gate(hidden[:, t]))
        outputs.append(last)
    return tf.stack(outputs, axis=1)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(5)
        self.gate = keras.layers.Dense(5)
        self.outer = keras.layers.Dense(2)

    def windows(self, hidden):
        return smooth(hidden, self.gate)

    def call(self, x):
        return self.outer(self.windows(self.inner(x)))


net = Net()
net.compile("sgd", "mse")
net.fit(x, tf.zeros([8, 6, 2]), verbose=0, batch_size=4, shuffle=False)
print(float(ops.sum(net(x))))
"""
TRAIN_STEP = """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.cell = keras.layers.LSTMCell(5)
        self.outer = keras.layers.Dense(3)

    def call(self, x, state):
        out, state = self.cell(x, state)
        return self.outer(out), state

    def train_step(self, data):
        x, y = data
        losses = []
        with tf.GradientTape() as tape:
            state = [tf.zeros([tf.shape(x)[0], 5]), tf.zeros([tf.shape(x)[0], 5])]
            loss = 0
            for t in range(tf.shape(x)[1]):
                out, state = self(x[:, t], state, training=True)
                step_loss = tf.reduce_mean((out - y[:, t]) ** 2)
                loss += step_loss
                losses.append(step_loss)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": tf.reduce_mean(tf.stack(losses))}


net = Net()
net(tf.ones([4, 3]), [tf.zeros([4, 5]), tf.zeros([4, 5])])
net.compile("sgd")
print(net.fit(x, x, verbose=0, batch_size=4, shuffle=False, epochs=2).history["loss"][-1])
"""


@pytest.mark.tensorflow
@pytest.mark.parametrize("program", [HELPER, TRAIN_STEP], ids=["helper", "train_step"])
def test_fit_trains_as_it_did_eagerly(program: str, tensorflow: TensorFlowServer) -> None:
    head = HEAD + "keras.utils.set_random_seed(3)\nx = tf.random.stateless_normal([8, 6, 3], [1, 2])\n\n\n"
    text = head + program.strip() + "\n"
    eager = tensorflow.run_once(_eagerly(text))
    graph = tensorflow.run_once(ways(text, "GD333")[0])
    assert float(graph.printed) == pytest.approx(float(eager.printed), rel=1e-4)


def _eagerly(text: str) -> str:
    return text.replace('"mse")', '"mse", run_eagerly=True)').replace('"sgd")', '"sgd", run_eagerly=True)')
