# ruff: noqa: E501
"""Programs that edits fix: other variants than the examples of the rules."""

FIXED = {
    "GD109 a metric of each epoch": """
@tf.function
def step(x, metric):
    metric.update_state(x)
    return tf.reduce_sum(x)
data = tf.data.Dataset.range(6).batch(2)
for epoch in range(6):
    mean = keras.metrics.Mean(name="mean")
    for x in data:
        step(x * epoch, metric=mean)
    print(epoch, float(mean.result()))
""",
    "GD204 a whole number that floats are made of": """
class Schedule:
    def __init__(self):
        self.step = 0
    @tf.function
    def rate(self, x):
        self.step += 1
        return x * 0.5 * self.step
s = Schedule()
for _ in range(3):
    print(s.rate(tf.constant(1.0)), s.step)
""",
    "GD215 a flag that decides what is returned": """
class Net:
    def __init__(self):
        self.training = True
    def eval(self):
        self.training = False
    @tf.function
    def run(self, x):
        if self.training:
            return x * 0.5
        return x
net = Net()
print(net.run(tf.constant(1.0)))
net.eval()
print(net.run(tf.constant(1.0)))
""",
    "GD301 an elif, and a value that nobody can write above": """
def helper(x): return x
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = helper(x)
    elif tf.reduce_sum(x) > 1:
        z = x
    else:
        y = x
    return y
f(tf.ones([2]))
""",
    "GD301 in a loop": """
@tf.function
def f(x):
    for i in tf.range(2):
        if x[i] > 1.0:
            best = x[i] * 2.0
        else:
            best = -x[i]
    return x
@tf.function
def g(x):
    total = tf.constant(0.0)
    for i in tf.range(2):
        if x[i] > 0.0:
            part = x[i] * 2.0
        total += part
    return total
print(g(tf.constant([1.0, 2.0])))
""",
    "GD301 two names": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = x / 2
        z = 1.0
    return y * z
f(tf.ones([2]))
""",
    "GD302 a conditional expression": """
@tf.function
def f(x):
    y = x if tf.reduce_sum(x) > 0 else None
    return y
f(tf.ones([2]))
""",
    "GD302 an index": """
@tf.function
def f(x):
    best = None
    if tf.reduce_sum(x) > 0:
        best = tf.argmax(x)
    return best
f(tf.ones([2]))
""",
    "GD302 the other branch": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        mask = tf.cast(x > 0, tf.float32)
    else:
        mask = None
    return mask
print(f(tf.ones([2])))
""",
    "GD303 a bare return": """
@tf.function
def f(x):
    if tf.reduce_sum(x) < 0:
        return
    return x * 2.0
print(f(tf.ones([2])))
""",
    "GD303 a tuple": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        return x, tf.constant(1)
f(tf.ones([2]))
""",
    "GD303 at the end": """
class M:
    @tf.function
    def pick(self, x):
        if tf.reduce_any(x > 0):
            return tf.reduce_max(x)
m = M()
print(m.pick(tf.ones([2])))
""",
    "GD304 a cast and a number": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        n = tf.cast(x, tf.int32)
        m = tf.constant(1, tf.int64)
    else:
        n = x
        m = 0
    return n, m
f(tf.ones([2]))
""",
    "GD304 a conditional expression": """
@tf.function
def f(x):
    return tf.cast(1 if tf.reduce_sum(x) > 0 else 0.5, tf.float32)
print(f(tf.ones([2])))
""",
    "GD304 what is returned": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        return tf.size(x)
    return tf.reduce_sum(x)
print(f(tf.ones([2])).numpy() == 2)
""",
    "GD305 a dict": """
@tf.function
def f(x):
    out = {"a": x}
    if tf.reduce_sum(x) > 0:
        out = {"a": x, "b": x * 2.0}
    return out
print(sorted(f(tf.ones([2]))))
""",
    "GD305 a flag": """
@tf.function
def f(x, deep):
    y = (x,)
    if deep:
        y = y + (x,)
    return y
print(f(tf.ones([2]), True)[0])
print(f(tf.ones([2]), deep=tf.constant(True))[0])
""",
    "GD305 a tuple": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 0:
        y = (x, x * 2)
    else:
        y = (x,)
    return y
print(f(tf.ones([2]))[0])
""",
    "GD306 a wide integer": """
@tf.function
def f(x):
    best = 0
    for i in tf.range(2):
        best = tf.argmax(x * tf.cast(i, tf.float32))
    return best
print(f(tf.constant([1.0, 2.0])).numpy())
""",
    "GD306 two at once": """
@tf.function
def f(x):
    a, b = 0, tf.zeros([2], tf.int32)
    for i in tf.range(2):
        a = a + x[i]
        b = tf.cast(b, tf.float32) + x
    return a, b
print(f(tf.ones([2])))
""",
    "GD307 a matrix": """
class M:
    @tf.function
    def rows(self, n):
        out = tf.zeros([0, 2])
        for _ in tf.range(n):
            out = tf.concat([out, tf.ones([1, 2])], 0)
        return out
m = M()
print(m.rows(tf.constant(3)))
""",
    "GD307 in a while": """
@tf.function
def f(n):
    tokens = tf.constant([1])
    while tf.size(tokens) < n:
        tokens = tf.concat([tokens, tokens[-1:] + 1], axis=0)
    return tokens
print(f(tf.constant(4)))
""",
    "GD307 two names": """
@tf.function
def f(n):
    a = tf.zeros([1, 3])
    b = tf.zeros([2])
    for i in tf.range(n):
        a = tf.concat([a, tf.ones([1, 3])], 0)
        b = tf.stack([b, b])
    return a, b
f(tf.constant(3))
""",
    "GD309 a first element, and the last one read": """
@tf.function
def f(x, n):
    outs = [x]
    for i in tf.range(n):
        outs.append(outs[-1] * 2.0)
    outs.append(x)
    return outs
print(f(tf.ones([2]), tf.constant(3)))
""",
    "GD309 a method, sum and len": """
class M:
    @tf.function
    def walk(self, x, n):
        seen = []
        for _ in tf.range(n):
            x = x * 2.0
            seen += [x]
        return tf.add_n(seen), len(seen)
m = M()
total, length = m.walk(tf.ones([2]), tf.constant(3))
print(total, int(length))
""",
    "GD309 both branches, another axis": """
@tf.function
def f(x, n):
    total = []
    for i in tf.range(n):
        if x[0] > 0:
            total.append(x * 2.0)
        else:
            total.append(x * 3.0)
    return tf.stack(total, 1)
print(f(tf.ones([2]), tf.constant(3)))
""",
    "GD309 concat": """
@tf.function
def f(x, n):
    total = []
    for i in tf.range(n):
        total.append(x * 2.0)
    return tf.concat(total, 0)
print(f(tf.ones([2]), tf.constant(3)))
""",
    "GD309 concat on another axis": """
@tf.function
def f(x, n):
    total = []
    for i in tf.range(n):
        total.append(tf.expand_dims(x * 2.0, 1))
    return tf.concat(total, axis=-1)
print(f(tf.ones([2]), tf.constant(3)))
""",
    "GD313 a def with a default": """
@tf.function
def f(x):
    fns = []
    for s in (1.0, 2.0, 3.0):
        def g(v=0):
            return x * s
        fns.append(g)
    return tf.switch_case(tf.constant(1), fns)
print(f(tf.ones([2])))
""",
    "GD313 a lambda": """
@tf.function
def f(x, n):
    fns = []
    for s in (1.0, 2.0, 3.0):
        fns.append(lambda: x * s)
    return tf.switch_case(n, fns)
print(f(tf.ones([2]), tf.constant(0)))
""",
    "GD313 three defaults": """
def choose(x, which):
    branches = {}
    for key, factor in enumerate([1.0, 2.0]):
        branches[key] = lambda: x * factor
    return tf.switch_case(which, branches)
print(tf.function(choose)(tf.constant(3.0), tf.constant(0)))
""",
    "GD314 a list": """
@tf.function
def f(x):
    total = 0.0
    for w in [1.0, 2.0, 3.0]:
        total += w * x[0]
        if total > 2.0:
            break
    return total
print(f(tf.ones([2])))
""",
    "GD314 a while that counts": """
@tf.function
def f(x):
    i = 0
    while i < 10:
        x = x * 2.0
        i += 1
        if tf.reduce_sum(x) > 20.0:
            break
    return x, i
print(f(tf.ones([2]))[0])
""",
    "GD314 two returns": """
@tf.function
def f(x):
    for i in range(10):
        x = x * 2.0
        if tf.reduce_sum(x) > 100.0:
            return x
        elif tf.reduce_sum(x) < 0.0:
            return -x
    x = x + 1.0
    return x
print(f(tf.ones([2])))
""",
    "GD315 break": """
@tf.function
def f(x):
    while True:
        if tf.reduce_sum(x) > 9.0:
            break
        x = x + 1.0
    return x
print(f(tf.ones([2])))
""",
    "GD315 nested in an if": """
@tf.function
def f(x, fast=True):
    if fast:
        while True:
            x = x * 3.0
            if tf.reduce_max(x) > 20.0:
                break
    return x
print(f(tf.ones([2])))
""",
    "GD315 return": """
@tf.function
def f(x):
    while True:
        x = x * 2.0
        if tf.reduce_sum(x) > 100.0:
            return x
print(f(tf.ones([2])))
""",
    "GD316 a flag": """
@tf.function
def f(x):
    going = True
    while going:
        x = x * 2.0
        going = tf.reduce_sum(x) < 9.0
    return x
print(f(tf.ones([2])))
""",
    "GD316 a float": """
@tf.function
def f(x):
    loss = 9.0
    while loss > 1.0:
        x = x / 2.0
        loss = tf.reduce_sum(x)
    return x
print(f(tf.ones([2])))
""",
    "GD316 an integer": """
@tf.function
def f(x):
    error = 10
    while error > 0.5:
        x = x / 2.0
        error = tf.reduce_max(x)
    return x
print(f(tf.ones([2])))
""",
    "GD316 another dtype": """
@tf.function
def f(x):
    i = 0
    while i < 3:
        x = x * 2.0
        i = tf.argmax(x)
        x = tf.reverse(x, [0])
        if tf.reduce_sum(x) > 5:
            i = tf.constant(5, tf.int64)
    return x
print(f(tf.constant([1.0, 2.0])))
""",
    "GD317 a flag and more": """
@tf.function
def f(x):
    for i in tf.range(3):
        if x[i] > 1.0:
            return x[i] * 10.0
    x = x + 1.0
    return tf.reduce_sum(x)
print(f(tf.constant([1.0, 2.0, 3.0])), f(tf.zeros([3])))
""",
    "GD317 in a method": """
class M:
    @tf.function
    def first(self, x):
        for v in x:
            if v > 1.0:
                return v
        return tf.constant(-1.0)
m = M()
print(m.first(tf.constant([1.0, 2.0])), m.first(tf.zeros([2])))
""",
    "GD317 the same after the loop": """
@tf.function
def f(x):
    for i in tf.range(10):
        x = x * 2.0
        if tf.reduce_sum(x) > 100.0:
            return x
    return x
print(f(tf.ones([2])))
""",
    "GD319 a while": """
@tf.function
def f(x):
    while tf.reduce_sum(x) < 9.0:
        x = x * 2.0
    else:
        x = x - 1.0
    return x
print(f(tf.ones([2])))
""",
    "GD319 break": """
@tf.function
def f(x):
    found = tf.constant(-1)
    for i in tf.range(3):
        if x[i] > 1.0:
            found = i
            break
    else:
        found = tf.constant(7)
    return found
print(f(tf.constant([1., 2., 3.])), f(tf.constant([1., 0., 0.])))
""",
    "GD319 for, without break": """
@tf.function
def f(n):
    total = tf.constant(0)
    for i in tf.range(n):
        total += i
    else:
        total += 100
    return total
print(f(tf.constant(4)))
""",
    "GD320 a function of the class": """
class A:
    __scale = 3.0
    @tf.function
    def f(self, x):
        if tf.reduce_sum(x) > 0:
            x = x * self.__scale
        return x
a = A()
print(a.f(tf.ones([2])))
""",
    "GD320 a method": """
class A:
    def __init__(self):
        self.__k = 2.0
    def __twice(self, x): return x * self.__k
    @tf.function
    def f(self, x):
        if tf.reduce_sum(x) > 0:
            x = self.__twice(x)
        return x
a = A()
print(a.f(tf.ones([2])))
""",
    "GD320 a name of the module": """
class A:
    def __init__(self, k):
        self.__k = k
    @property
    def k(self):
        return self.__k
    @tf.function
    def f(self, x):
        while tf.reduce_sum(x) < 9.0:
            x = x + self.__k
        return x
a = A(2.0)
print(a.f(tf.ones([2])), a.k)
""",
    "GD321 a generator inside": """
@tf.function
def f(x):
    def parts():
        yield x
        yield x * 2.0
    total = tf.add_n(list(parts()))
    if tf.reduce_sum(total) > 3.0:
        total = -total
    return total
print(f(tf.ones([2])))
""",
    "GD321 a loop": """
def halves(x):
    for _ in range(3):
        if tf.reduce_sum(x) > 1.0:
            x = x / 2.0
        yield x
@tf.function
def f(x):
    return tf.add_n([h for h in halves(x)])
print(f(tf.ones([2])))
""",
    "GD321 yield from, and return": """
def halves(x, n):
    if n == 0:
        return
    for _ in range(n):
        if tf.reduce_sum(x) > 1.0:
            x = x / 2.0
        yield x
    yield from [x, x]
@tf.function
def total(x):
    s = 0.0
    for h in halves(x, 3):
        s += h
    return s
print(total(tf.ones([2])))
""",
    "GD322 a while with continue": """
@tf.function
def f(x):
    while (n := tf.norm(x)) > 1.0:
        x = x / 2.0
        if n > 9.0:
            continue
        x = x - 0.1
    return x
print(f(tf.constant([30.0, 40.0])))
""",
    "GD322 in an assignment": """
@tf.function
def f(x):
    y = (n := tf.norm(x)) + n
    if y > 0:
        y = -y
    return y
print(f(tf.ones([4])))
""",
    "GD322 in an if": """
@tf.function
def f(x):
    if (total := tf.reduce_sum(x)) > 1.0:
        x = x / total
    return x
print(f(tf.ones([2])))
""",
    "GD323 constants": """
@tf.function
def f(x, mode):
    match mode:
        case "up" | "higher":
            x = x + 1.0
        case _:
            x = x - 1.0
    if tf.reduce_sum(x) > 3.0:
        x = -x
    return x
print(f(tf.ones([2]), "up"), f(tf.ones([2]), "down"))
""",
    "GD323 dotted names": """
import enum
class Mode(enum.Enum):
    UP = 1
    DOWN = 2
@tf.function
def f(x, mode):
    match mode:
        case Mode.UP:
            x = x + 1.0
        case Mode.DOWN | None:
            x = x - 1.0
    if tf.reduce_sum(x) > 3.0:
        x = -x
    return x
print(f(tf.ones([2]), Mode.UP), f(tf.ones([2]), None))
""",
    "GD323 guards": """
@tf.function
def f(x, mode, fast=True):
    match mode:
        case 1 if fast:
            x = x + 1.0
        case None:
            x = x - 1.0
        case _:
            x = x * 2.0
    if tf.reduce_sum(x) > 3.0:
        x = -x
    return x
print(f(tf.ones([2]), 1), f(tf.ones([2]), None))
""",
    "GD325 arguments": """
def both(a, b):
    return lambda x: a(x) + b(x)
f = tf.function(both(lambda x: x * 2 if x[0] > 0 else x, lambda x: x - 1 if x[0] > 0 else x))
print(f(tf.ones([2])))
""",
    "GD325 in a dict": """
pair = {"a": tf.function(lambda x: x * 2 if x[0] > 0 else x), "b": tf.function(lambda x: x / 2 if x[0] > 0 else x)}
print(pair["a"](tf.ones([2])), pair["b"](tf.ones([2])))
""",
    "GD325 two names": """
a, b = tf.function(lambda x: x * 2 if x[0] > 0 else x), tf.function(lambda x: x / 2 if x[0] > 0 else x)
print(a(tf.ones([2])), b(tf.ones([2])))
""",
    "GD327 a formatted message": """
@tf.function
def f(x):
    if tf.reduce_any(x < 0):
        raise ValueError(f"negative: {x}")
    return tf.sqrt(x)
print(f(tf.ones([2])))
""",
    "GD327 among others": """
@tf.function
def f(x):
    if tf.reduce_sum(x) < 0:
        x = -x
        raise RuntimeError
    return x
print(f(tf.ones([2])))
""",
    "GD327 in an else": """
@tf.function
def f(x):
    if tf.reduce_sum(x) > 10.0:
        y = x
    elif tf.reduce_sum(x) < -10.0:
        y = -x
    else:
        raise ValueError("bad %s" % x.name)
    return y
print(f(tf.ones([20])))
""",
    "GD329 a message": """
@tf.function
def f(x):
    assert tf.reduce_all(x > 0), f"got {x} here"
    return x
print(f(tf.ones([2])))
""",
    "GD329 a plain message": """
class M:
    @tf.function
    def f(self, x):
        assert tf.reduce_all(x > 0), "negative"
        return x
m = M()
print(m.f(tf.ones([2])))
""",
    "GD329 no message": """
def positive(x):
    assert tf.reduce_min(x) > 0
    return x
print(tf.function(positive)(tf.ones([2])))
""",
    "GD330 a known size": """
@tf.function
def f(x):
    return tf.stack([v * v for v in x])
print(f(tf.ones([2])))
""",
    "GD330 an open size": """
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    return tf.stack([v * v for v in x])
print(f(tf.ones([2])))
""",
    "GD330 rows of a matrix": """
@tf.function
def f(x):
    norms = [tf.norm(row) for row in x]
    return norms
print(f(tf.ones([2, 3])))
""",
    "GD333 any and list": """
@tf.function
def f(x):
    if any(x > 1.0):
        return list(x)[0]
    return x[0]
print(f(tf.constant([1., 2.])))
""",
    "GD333 among": """
STOP = [1, 2]
@tf.function
def f(token, others):
    count = tf.constant(0)
    if token in STOP:
        count = count + 1
    if token not in (3, 4) and 5 in others:
        count = count + 2
    return count
print(f(tf.constant(2), tf.constant([5, 6])))
""",
    "GD505 a variable of another object": """
class Scale(tf.Module):
    def __init__(self, start):
        super().__init__()
        self.factor = tf.Variable(start, name="factor")
def descend(module, loss, tape):
    variables = module.trainable_variables
    for v, g in zip(variables, tape.gradient(loss, variables)):
        v.assign_sub(0.5 * g)
scale = Scale(2)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.cast(scale.factor, tf.float32) * tf.ones([2]))
descend(scale, loss, tape)
print(scale.factor)
""",
    "GD333 functions of math": """
import math
@tf.function
def f(x):
    frames = math.ceil(tf.shape(x)[0] / 2)
    return tf.zeros([frames]) + math.sqrt(tf.reduce_sum(x)) * math.fabs(tf.reduce_min(x))
print(f(tf.constant([4.0, 2.0, 3.0])))
""",
    "GD333 largest and smallest": """
@tf.function
def f(x, y):
    return max(x) + min(tf.reduce_sum(x), tf.reduce_sum(y), 3.0)
print(f(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])))
""",
    "GD333 zip and enumerate": """
@tf.function
def f(x, y):
    total = 0.0
    for i, (a, b) in enumerate(zip(x, y)):
        total += a * b * i
    return total, sum(x)
print(f(tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])))
""",
    "GD334 a tuple of numbers": """
RATES = (0.1, 0.01, 0.001)
@tf.function
def rate(step):
    return RATES[step // 100]
print(rate(tf.constant(150)))
""",
    "GD334 functions and tensors": """
@tf.function
def f(i, x):
    fs = [tf.sin, tf.cos]
    w = [tf.ones([2]), tf.zeros([2])]
    return fs[i](x) + w[i]
print(f(tf.constant(1), tf.ones([2])))
""",
    "GD334 modules, chosen by a method whose result is called": """
class Expert(tf.Module):
    def __init__(self, scale):
        self.w = tf.Variable([[scale], [1.0]])
    def __call__(self, x, bias=0.0):
        return x @ self.w + bias
class Experts(tf.Module):
    def __init__(self, count):
        self.experts = [Expert(float(i)) for i in range(count)]
    def route(self, task):
        return self.experts[task]
    @tf.function
    def __call__(self, x, task):
        return self.route(task)(x) + self.route(2 - task)(x, bias=1.0)
model = Experts(3)
for task in (0, 1, 2):
    print(model(tf.ones([2, 2]), tf.constant(task)))
""",
    "GD334 modules, by a name that is called, and a method of one": """
class Head(tf.Module):
    def __init__(self, scale):
        self.w = tf.Variable(scale)
    def __call__(self, x):
        return x * self.w
    def penalty(self, rate):
        return rate * self.w ** 2
heads = [Head(1.0), Head(2.0)]
@tf.function
def f(x, task):
    head = heads[task]
    return head(x) + head(x + 1.0), heads[task].penalty(0.5)
for task in (0, 1):
    print(f(tf.ones([2]), tf.constant(task)))
""",
    "GD334 the best of several functions": """
@tf.function
def f(scores, x):
    best = tf.argmax(scores)
    action = [tf.sin, tf.cos, tf.abs][best]
    return action(x)
print(f(tf.constant([0.1, 0.9, 0.2]), tf.ones([2])))
""",
    "GD309 each list has the dtype of its own elements": """
import functools
def select(boxes, scores, limit):
    keep, valid = tf.image.non_max_suppression_padded(boxes, scores, limit, pad_to_max_output_size=True)
    return tf.gather(boxes, keep), valid
class Detector:
    def __init__(self, limit):
        self.pick = functools.partial(select, limit=limit)
    @tf.function
    def __call__(self, boxes, scores):
        kept, counts, best, sure = [], [], [], []
        for i in tf.range(tf.shape(boxes)[0]):
            chosen, valid = self.pick(boxes[i], scores[i])
            kept.append(chosen)
            counts.append(valid)
            best.append(tf.argmax(scores[i]))
            sure.append(tf.reduce_all(scores[i] > 0.5))
        return tf.stack(kept), tf.stack(counts), tf.stack(best), tf.stack(sure)
detect = Detector(2)
print(detect(tf.reshape(tf.range(24.0), [2, 3, 4]), tf.constant([[0.1, 0.9, 0.2], [0.6, 0.7, 0.8]])))
""",
    "GD317 a tuple whose parts the loop changes": """
class Search:
    def __init__(self, limit):
        self.limit = limit
    @tf.function
    def __call__(self, x):
        total = tf.zeros([2])
        for i in tf.range(self.limit):
            total += x
            if tf.reduce_sum(total) > 5.0:
                return total, i + 1
        return total, self.limit
search = Search(4)
for start in (0.5, 1.0):
    total, steps = search(tf.fill([2], start))
    print(total.numpy(), int(steps))
""",
    "GD607 as many frequencies as half the frame": """
import warnings
warnings.simplefilter("ignore")
FRAME = 8
def spectrogram(wave):
    frames = wave.reshape(-1, FRAME) * np.hanning(FRAME)
    return np.abs(np.fft.rfft(frames, axis=1)).astype("float32")
def features(wave, label):
    spec = tf.numpy_function(spectrogram, [wave], tf.float32)
    return tf.math.log1p(spec), label
keras.utils.set_random_seed(0)
waves, labels = np.ones([8, 32], "float32"), np.zeros([8], "int32")
data = tf.data.Dataset.from_tensor_slices((waves, labels)).map(features).batch(4)
model = keras.Sequential([keras.layers.Conv1D(2, 3), keras.layers.GlobalAveragePooling1D()])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(data, verbose=0)
print(model.layers[0].kernel.shape)
""",
    "GD701 a schedule that sets a name on both ways": """
import warnings
warnings.simplefilter("ignore")
keras.utils.set_random_seed(0)
class Rate(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, warmup=2):
        self.warmup = warmup
    def __call__(self, step):
        step = keras.ops.cast(step, "float32") + 1.0
        if step < self.warmup:
            rate = 0.1 * step / self.warmup
        else:
            rate = 0.1 * (self.warmup / step) ** 0.5
        return rate
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(Rate()), "mse")
model.fit(np.ones([8, 2], "float32"), np.ones([8, 1], "float32"), batch_size=1, shuffle=False, verbose=0)
print(np.round(model.layers[0].kernel.numpy(), 5))
""",
    "GD701 a schedule with an elif and what follows": """
import warnings
warnings.simplefilter("ignore")
keras.utils.set_random_seed(0)
class Rate(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, warmup=2):
        self.warmup = warmup
    def __call__(self, step):
        if step < self.warmup:
            return 0.01
        elif step < 5:
            return 0.2
        return 0.05
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(Rate()), "mse")
model.fit(np.ones([8, 2], "float32"), np.ones([8, 1], "float32"), batch_size=1, shuffle=False, verbose=0)
print(np.round(model.layers[0].kernel.numpy(), 5))
""",
    "GD701 a schedule that changes a name": """
import warnings
warnings.simplefilter("ignore")
keras.utils.set_random_seed(0)
class Rate(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, warmup=2):
        self.warmup = warmup
    def __call__(self, step):
        rate = 0.1
        if step > self.warmup:
            rate = rate * 0.5
        return rate
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(Rate()), "mse")
model.fit(np.ones([8, 2], "float32"), np.ones([8, 1], "float32"), batch_size=1, shuffle=False, verbose=0)
print(np.round(model.layers[0].kernel.numpy(), 5))
""",
    "GD701 a schedule with a conditional expression": """
import warnings
warnings.simplefilter("ignore")
keras.utils.set_random_seed(0)
class Rate(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, warmup=2):
        self.warmup = warmup
    def __call__(self, step):
        return 0.1 if step < self.warmup else (0.2 if step < 4 else 0.05)
model = keras.Sequential([keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(Rate()), "mse")
model.fit(np.ones([8, 2], "float32"), np.ones([8, 1], "float32"), batch_size=1, shuffle=False, verbose=0)
print(np.round(model.layers[0].kernel.numpy(), 5))
""",
    "GD607 a picture and a number": """
import warnings
warnings.simplefilter("ignore")
SIDE = 4
class Loader:
    def __init__(self, keep=1.0):
        self.keep = keep
    def read(self, index):
        return np.zeros((SIDE, SIDE, 1), "float32") + self.keep, int(index) % 2
    def load(self, index):
        scan, label = tf.py_function(self.read, [index], [tf.float32, tf.int32])
        return scan, label
keras.utils.set_random_seed(0)
data = tf.data.Dataset.range(8).map(Loader().load).batch(4)
model = keras.Sequential([keras.layers.Conv2D(2, 3), keras.layers.GlobalMaxPooling2D()])
model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
print(model.fit(data, verbose=0).history["loss"][0] > 0)
""",
    "GD607 rows of as many numbers as are read together": """
import os, tempfile, warnings
warnings.simplefilter("ignore")
LEADS = 3
path = os.path.join(tempfile.mkdtemp(), "record.bin")
np.arange(24, dtype="<i2").tofile(path)
def read_clip(name):
    with open(name, "rb") as file:
        raw = np.frombuffer(file.read(), "<i2").reshape(-1, LEADS)
    clip = raw[:6].astype("float32") / 10.0
    return clip - clip.mean(axis=0, keepdims=True)
def load(name, label):
    clip = tf.numpy_function(read_clip, [name], tf.float32)
    return clip * 2.0, label
keras.utils.set_random_seed(0)
data = tf.data.Dataset.from_tensor_slices(([path] * 4, [0.0] * 4)).map(load).batch(2)
model = keras.Sequential([keras.layers.Conv1D(2, 3), keras.layers.GlobalMaxPooling1D(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(data, verbose=0)
print(model.layers[0].kernel.shape)
""",
    "GD102 a decorator whose function makes one at each call": """
import functools
def compiled(reduce=False):
    def wrap(fn):
        @functools.wraps(fn)
        def inner(*args):
            graph = tf.function(fn, reduce_retracing=reduce)
            inner.calls += 1
            return graph(*args)
        inner.calls = 0
        return inner
    return wrap
@compiled()
def double(x):
    return x + x
@compiled(reduce=True)
def half(x):
    return x / 2.0
for _ in range(6):
    y = half(double(tf.ones([3])))
print(y, double.calls)
""",
    "GD102 a closure that wraps and calls at once": """
def timed(fn):
    def run(*args):
        return tf.function(fn)(*args)
    return run
def double(x):
    return x + x
run = timed(double)
for _ in range(6):
    print(run(tf.ones([3])))
""",
    "GD306 what is gathered for each row": """
table = tf.Variable([[0.5, 1.0], [2.0, 4.0]])
def look_up(rows, columns):
    return tf.gather(tf.gather(table, rows), columns, batch_dims=1)
@tf.function
def score(tokens):
    total = 0
    for t in tf.range(2):
        total += look_up(tokens[t][None], tokens[t][None])[0]
    return total
print(score(tf.constant([0, 1])))
""",
    "GD901 a function that is compiled by a call": """
class Sampler(tf.Module):
    def one(self, x):
        tf.print(tf.reduce_sum(x))
        return x * 2.0
    def generate(self, x):
        compiled = tf.function(self.one, jit_compile=True, reduce_retracing=True)
        for _ in range(2):
            x = compiled(x)
        return x
print(Sampler().generate(tf.ones([2])))
""",
    "GD215 layers that are trained from some epoch on": """
class Trainer:
    def __init__(self, base, head):
        self.base, self.head = base, head
        self.base.trainable = False
        self.step = tf.function(self._step, reduce_retracing=True)
    def _step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.head(self.base(x)))
        variables = self.base.trainable_variables + self.head.trainable_variables
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.1 * gradient)
        return loss
    def run(self, epoch, x):
        if epoch == 2:
            self.base.trainable = True
        return self.step(x)
base, head = (keras.Sequential([keras.Input((2,)), keras.layers.Dense(2, kernel_initializer="ones")]) for _ in range(2))
trainer = Trainer(base, head)
for epoch in range(4):
    print(float(trainer.run(epoch, tf.ones([1, 2]))), base.layers[0].kernel.numpy().tolist())
""",
    "GD205 a helper takes the label out": """
LABEL = "y"
def split(record):
    label = record.pop(LABEL)
    return record["x"], label
def add_mask(batch):
    batch["mask"] = batch["x"] > 0.0
@tf.function
def f(row):
    '''Doc.'''
    add_mask(row)
    x, y = split(row)
    return x * y, row["mask"]
print(f({"x": tf.constant([1.0, -1.0]), "y": tf.constant(2.0)}))
""",
    "GD205 a list, popped": """
class M:
    @tf.function
    def f(self, xs, *, n=1):
        last = xs.pop()
        xs.insert(0, last)
        return tf.stack(xs) * n
m = M()
print(m.f([tf.constant(1.0), tf.constant(2.0)]))
""",
    "GD205 a part of the argument, and one in a helper": """
def add_mask(part):
    part["mask"] = part["x"] > 0.0
@tf.function
def f(batch):
    batch["inner"]["y"] = batch["inner"]["x"] + 1.0
    return batch["inner"]["y"]
@tf.function
def g(batch):
    add_mask(batch["inner"])
    return batch["inner"]["mask"]
print(f({"inner": {"x": tf.ones([2])}}), g({"inner": {"x": tf.ones([2])}}))
""",
    "GD209 since a moment that Python read": """
import time
class Meter:
    def __init__(self):
        self.started = time.time()
        self.last = tf.Variable(0.0, dtype=tf.float64)
    def reset(self):
        self.last.assign(time.time())
    def elapsed(self):
        return time.time() - self.started, time.time() - self.last
meter = Meter()
@tf.function
def step(x):
    return x + 1.0, meter.elapsed()
meter.reset()
first = step(tf.constant(1.0))[1]
time.sleep(0.05)
second = step(tf.constant(1.0))[1]
print([0.04 < float(b - a) < 5.0 for a, b in zip(first, second)])
""",
    "GD211 texts and tensors that a helper joins": """
def tag(*parts):
    return "/".join(str(p) for p in parts)
@tf.function
def f(x):
    key = tf.constant(tag("arm", 3, x))
    return key, tf.constant("/".join(["n", str(x), f"{x} times"]))
print(f(tf.constant(2)))
""",
    "GD211 a name that becomes a tensor later, and a sum": """
@tf.function
def f(x):
    label = f"step {x}"
    return tf.constant(label), tf.constant("a" + str(x))
print(f(tf.constant(2)))
""",
    "GD334 layers": """
class M:
    def __init__(self):
        self.steps = [tf.math.sin, tf.math.cos]
    @tf.function
    def f(self, i, x):
        return self.steps[i](x)
m = M()
print(m.f(tf.constant(1), tf.ones([2])))
""",
    "GD337 a loop": """
class M:
    @tf.function(autograph=False)
    def f(self, x):
        for _ in tf.range(3):
            x = x * 2.0
        return x
m = M()
print(m.f(tf.ones([2])))
""",
    "GD337 an option alone": """
@tf.function(autograph=False)
def f(x):
    while tf.reduce_sum(x) < 9.0:
        x = x * 2.0
    return x
print(f(tf.ones([2])))
""",
    "GD337 two ways": """
@tf.autograph.experimental.do_not_convert
def g(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return -x
@tf.function(autograph=False, jit_compile=False)
def h(x):
    if tf.reduce_sum(x) > 0.0:
        return x
    return -x
@tf.function
def f(x):
    return g(x) + h(x)
print(f(tf.ones([2])))
""",
    "GD339 beside another statement": """
@tf.function
def f(x):
    items = [x]
    if tf.reduce_sum(x) > 0.0:
        z = x * 2.0
        items.append(z)
    else:
        items.append(x)
    return tf.stack(items)
print(f(tf.ones([2])))
""",
    "GD339 dots": """
class M:
    def __init__(self):
        self.k = 1.0
    @tf.function
    def f(self, x):
        parts = []
        if tf.reduce_sum(x) > 0.0:
            parts.append(x + self.k)
        else:
            parts.append(x - self.k)
        return tf.stack(parts)
m = M()
print(m.f(tf.ones([2])))
""",
    "GD339 numbers": """
@tf.function
def f(x):
    out = []
    if tf.reduce_sum(x) > 0.0:
        out.append(1.0)
    else:
        out.append(2.0)
    return out
print(f(tf.ones([2]))[0].numpy() == 1.0)
""",
    "GD340 a function and a method": """
def step(total, v):
    if v > 1.0:
        total = total + v
    return total
class K:
    def one(self, a, v):
        if v > 1.0:
            a = a + v
        return a
@tf.function
def f(x):
    return tf.foldl(step, x) + tf.foldl(K().one, x)
print(f(tf.constant([1.0, 2.0, 3.0])))
""",
    "GD340 a while loop": """
def body(i, x):
    if i > 1:
        x = x * 2.0
    return i + 1, x
def cond(i, x):
    return i < 3
@tf.function
def f(x):
    return tf.while_loop(cond, body, [tf.constant(0), x])
print(f(tf.ones([2]))[1])
""",
    "GD340 scan": """
def step(total, value):
    if value > 1.0:
        return total + value
    return total
@tf.function
def f(x):
    return tf.scan(step, x)
print(f(tf.constant([1.0, 2.0, 3.0])))
""",
    "GD401 a local of a function": """
@tf.function
def count(x):
    n = tf.Variable(0.0)
    for v in x:
        n.assign_add(v)
    return n.read_value()
print(count(tf.ones([2])), count(tf.ones([2])))
""",
    "GD401 a local of a method": """
class M:
    def __init__(self):
        self.k = 1.0
    @tf.function
    def f(self, x):
        total = tf.Variable(tf.zeros([2]))
        total.assign_add(x * self.k)
        return total.read_value()
m = M()
print(m.f(tf.ones([2])), m.f(tf.ones([2])))
""",
    "GD401 a shape of the argument": """
class Layer2:
    def __init__(self):
        self.w = None
    @tf.function
    def f(self, x):
        self.w = tf.Variable(tf.ones([x.shape[-1], 2]))
        return x @ self.w
l = Layer2()
print(l.f(tf.ones([1, 2])), l.f(tf.ones([2, 2])))
""",
    "GD401 an attribute": """
class Metric:
    def __init__(self):
        self.total = None
    @tf.function
    def update(self, x):
        self.total = tf.Variable(0.0)
        self.total.assign_add(tf.reduce_sum(x))
        return self.total.read_value()
m = Metric()
print([float(m.update(tf.ones([2]))) for _ in range(3)])
""",
    "GD402 a layer without a name, and one with": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.a = keras.layers.Dense(2, kernel_initializer="ones")
    def call(self, x):
        x = self.a(x)
        x = keras.layers.Dense(3, kernel_initializer="ones")(x)
        norm = keras.layers.LayerNormalization()
        return norm(x)
net = Net()
f = tf.function(net)
print(f(tf.ones([1, 2])))
""",
    "GD402 a layer that a function makes": """
keras.utils.set_random_seed(1)
def make_gate(units, activation="sigmoid"):
    layer = keras.layers.Dense(units, activation=activation, kernel_initializer="ones")
    return layer
class Highway(tf.Module):
    def __init__(self, units):
        super().__init__()
        self.units = units
    def __call__(self, x):
        gate = make_gate(self.units)(x)
        return gate * x
net = Highway(3)
@tf.function
def step(x):
    return net(x)
for _ in range(2):
    print(step(tf.ones([1, 3])))
""",
    "GD402 an optimizer": """
w = tf.Variable(2.0)
@tf.function
def step(x):
    opt = keras.optimizers.SGD(0.1)
    with tf.GradientTape() as tape:
        loss = w * w * x
    g = tape.gradient(loss, [w])
    opt.apply_gradients(zip(g, [w]))
    return loss
print(step(tf.constant(1.0)), step(tf.constant(2.0)))
""",
    "GD402 metrics that a function makes": """
def gauges(names):
    kinds = {"mean": keras.metrics.Mean, "sum": keras.metrics.Sum}
    return {name: kinds[name]() for name in names}
class Watch:
    def __init__(self, names=("mean", "sum")):
        self.names = names
    @tf.function
    def __call__(self, x):
        found = gauges(self.names)
        for gauge in found.values():
            gauge.update_state(x)
        return [gauge.result() for gauge in found.values()]
watch = Watch()
print([[float(each) for each in watch(tf.ones([2]) * number)] for number in (1.0, 3.0)])
""",
    "GD402 a metric, with a name and without": """
@tf.function
def measure(x):
    total = keras.metrics.Sum()
    total.update_state(x)
    return keras.metrics.Mean()(x) + total.result()
print([float(measure(tf.ones([2]) * number)) for number in (1.0, 3.0)])
""",
    "GD402 metrics of a model": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.scale = 2.0
    def gauges(self):
        return [keras.metrics.Mean()]
    @tf.function
    def watch(self, x):
        metrics = self.gauges()
        metrics[0].update_state(self.scale * x)
        return metrics[0].result()
net = Net()
print([float(net.watch(tf.ones([2]) * number)) for number in (1.0, 3.0)])
""",
    "GD402 in a Keras model": """
class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(2, kernel_initializer="ones")
    def call(self, x):
        return keras.layers.Dense(1, kernel_initializer="ones")(self.first(x))
net = Net()
step = tf.function(lambda x: net(x))
print(step(tf.ones([1, 2])))
""",
    "GD403 several of a tuple, and a step that is given the model": """
def make():
    return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
@tf.function
def step(net, optimizer, x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(x)))
    gradients = tape.gradient(loss, net.trainable_variables)
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss
actor, critic = make(), make()
first, second = keras.optimizers.Adam(0.01), keras.optimizers.Adam(0.02)
for _ in range(2):
    print(step(actor, first, tf.ones([1, 2])), step(net=critic, optimizer=second, x=tf.ones([1, 2])))
""",
    "GD403 an optimizer that a class is given, and a helper applies": """
class Trainer:
    def __init__(self, optimizer):
        self.optimizer = optimizer
    def descend(self, model):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(tf.ones([1, 2])))
        self.apply(tape.gradient(loss, model.trainable_variables), model)
        return loss
    def apply(self, gradients, model):
        self.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
class Pair(Trainer):
    def __init__(self, one, two):
        super().__init__(keras.optimizers.SGD(0.5))
        self.one, self.two = one, two
    @tf.function
    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            loss = tf.reduce_mean(self.one(x) + 2.0 * self.two(x))
        self.apply(tape.gradient(loss, self.one.trainable_variables), self.one)
        self.apply(tape.gradient(loss, self.two.trainable_variables), self.two)
        return loss
def net():
    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
pair = Pair(net(), net())
print([float(pair.step(tf.ones([1, 2]))) for _ in range(2)])
""",
    "GD406 TensorFlow's functions": """
@tf.function
def double(x):
    return tf.multiply(x, 2.0)
inputs = keras.Input([3])
model = keras.Model(inputs, double(inputs))
print(model(tf.ones([1, 3])))
""",
    "GD406 a function of TensorFlow's alone": """
inputs = keras.Input([3])
def normalised(x, axis=-1):
    return 2.0 * tf.math.l2_normalize(
        x,
        axis=axis,
    )
model = keras.Model(inputs, normalised(inputs))
print(model(tf.ones([1, 3])))
""",
    "GD406 several, one in the other, in a loop": """
class Powers:
    def __init__(self, shift=1.0):
        self.shift = shift
    def __call__(self, first, second):
        for power in (1.0, 2.0):
            first = tf.math.cumsum(tf.math.scalar_mul(power, tf.math.xdivy(first, second + self.shift)), 1)
        return first
inputs = [keras.Input([2]), keras.Input([2])]
model = keras.Model(inputs, Powers()(*inputs))
print(model([tf.ones([1, 2]), tf.ones([1, 2])]))
""",
    "GD406 what Keras has as well": """
from keras import ops as kops
ids = keras.Input([2], dtype="int32")
hot = tf.one_hot(ids, depth=3)
flat = tf.reshape(hot, [-1, 6])
model = keras.Model(ids, tf.concat([flat, tf.nn.relu(flat)], axis=1))
print(model(tf.constant([[0, 2]])))
""",
    "GD407 predict": """
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
@tf.function
def score(x):
    return tf.reduce_sum(model.predict(x, verbose=0))
print(score(tf.ones([1, 2])))
""",
    "GD408 a power": """
@tf.function
def power(x, n):
    if n == 0:
        return tf.ones_like(x)
    return x * power(x, n - 1)
print(power(tf.constant([2.0, 3.0]), tf.constant(3)))
""",
    "GD411 at the top": """
class Scaler:
    def __init__(self, factor):
        self.factor = factor
    @tf.function
    def scale(self, x):
        return x * self.factor
print(Scaler(2.0).scale(tf.ones([2])))
""",
    "GD411 in a function": """
class Scaler:
    def __init__(self, factor):
        self.factor = factor
    @tf.function
    def scale(self, x):
        return x * self.factor
def go():
    y = Scaler(2.0).scale(tf.ones([2]))
    return y
print(go())
""",
    "GD411 in a return": """
class Scaler:
    def __init__(self, factor):
        self.factor = factor
    @tf.function
    def __call__(self, x):
        return x * self.factor
    @tf.function
    def scale(self, x):
        return x * self.factor
def go(x):
    return Scaler(3.0).scale(x)
print(go(tf.ones([2])))
""",
    "GD502 in a helper": """
w = tf.Variable([1.0, 2.0])
def forward():
    return tf.reduce_sum(w * w)
def step():
    loss = forward()
    with tf.GradientTape() as tape:
        total = loss * 2.0
    return tape.gradient(total, w)
print(step())
""",
    "GD502 two lines after": """
w = tf.Variable([1.0, 2.0])
def pen(v): return tf.reduce_sum(v * v)
with tf.GradientTape() as tape:
    a = tf.reduce_sum(w * w)
b = a + 1.0
loss = pen(b) * 2.0
g = tape.gradient(loss, w)
print(g)
""",
    "GD502 two lines before": """
model = keras.Sequential([keras.Input((2,)), keras.layers.Dense(1, kernel_initializer="ones")])
x = tf.ones([3, 2])
y = model(x)  # forward
err = y - 1.0
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(err ** 2)
print(tape.gradient(loss, model.trainable_variables)[0])
""",
    "GD503 NumPy of a value that is read and turned": """
v = tf.Variable([[1.0, 0.0], [0.5, 0.5]])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(np.dot(v, v.numpy().T))
print(tape.gradient(loss, v))
""",
    "GD503 NumPy in a helper": """
def score(v):
    return np.sum(v.numpy() ** 2)
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    loss = score(w)
print(tape.gradient(loss, w), loss)
""",
    "GD503 a method of NumPy": """
w = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    error = np.array(w * 2.0)
    loss = tf.reduce_sum(tf.square(error))
print(tape.gradient(loss, w))
""",
    "GD503 matmul": """
w = tf.Variable([1.0, 2.0])
basis = np.ones([3, 2], "float32")
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(np.matmul(basis, w))
print(tape.gradient(loss, w))
""",
    "GD504 a comparison": """
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.cast(w < 0.5, tf.float32))
print(tape.gradient(loss, w), loss)
""",
    "GD504 rounding": """
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    r = tf.round(w)
    loss = tf.reduce_sum(r * 2.0)
print(tape.gradient(loss, w), loss)
""",
    "GD504 rounding of an expression, in a larger one": """
w, scale = tf.Variable([0.2, 0.7]), tf.constant(0.5)
def to_grid(values): return 1.0 + 3.0 * tf.round(values / scale - 0.25)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(to_grid(w))
print(tape.gradient(loss, w), loss)
""",
    "GD504 a comparison in a larger expression": """
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.cast(w < 0.5, tf.float32) * 3.0)
print(tape.gradient(loss, w), loss)
""",
    "GD504 rounding of what a call computes": """
class Code(tf.Module):
    def __init__(self):
        self.w = tf.Variable([0.2, 0.7])
    def project(self, x):
        return self.w * x
    def __call__(self, x):
        return tf.round(
            self.project(x),
            name="codes",
        )
code = Code()
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(code(tf.constant(2.0)))
print(tape.gradient(loss, code.w), loss)
""",
    "GD504 rounding of what is drawn": """
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.floor(w + 0.0 * tf.random.uniform([2])))
print(tape.gradient(loss, w), loss)
""",
    "GD504 rounding in a lambda": """
w = tf.Variable([0.2, 0.7])
snap = lambda values: 2.0 * tf.math.ceil(tf.clip_by_value(values, 0.0, 1.0))
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(snap(w))
print(tape.gradient(loss, w), loss)
""",
    "GD504 rounding by Keras": """
from keras import ops
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(ops.floor(ops.multiply(w, 3.0)))
print(tape.gradient(loss, w), loss)
""",
    "GD504 a comparison of what a call computes": """
w = tf.Variable([0.2, 0.7])
with tf.GradientTape() as tape:
    hits = tf.cast(tf.less(tf.identity(w), 0.5), dtype="float32")
    loss = tf.reduce_sum(hits)
print(tape.gradient(loss, w), loss)
""",
    "GD505 a dtype": """
x = tf.constant([1, 2], dtype=tf.int32)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = x * x
print(tape.gradient(y, x))
""",
    "GD505 an argument": """
def attack(img):
    with tf.GradientTape() as tape:
        tape.watch(img)
        loss = tf.reduce_sum(tf.cast(img, tf.float32) ** 2)
    return tape.gradient(loss, img)
print(attack(tf.constant(np.array([1, 2], "uint8"))))
""",
    "GD505 an array": """
x = tf.Variable(np.array([1, 2]))
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))
""",
    "GD509 a name": """
model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
weights = model.trainable_weights
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(model(tf.ones([1, 2])))
gradients = tape.gradient(loss, weights)
print(len(gradients), [len(pair) for pair in zip(gradients, weights)])
""",
    "GD509 an attribute": """
class T:
    def __init__(self):
        self.model = keras.Sequential([keras.layers.Dense(1, kernel_initializer="ones")])
        self.vs = self.model.trainable_variables
    def step(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(self.model(x))
        g = tape.gradient(loss, self.vs)
        for v, d in zip(self.vs, g): v.assign_sub(d)
        return len(g)
print(T().step(tf.ones([1, 2])))
""",
    "GD509 in a function": """
model = keras.Sequential([keras.layers.Dense(1)])
def step(x):
    variables = model.trainable_variables
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    return tape.gradient(loss, variables)
print(len(step(tf.ones([1, 2]))))
""",
    "GD513 after the computation": """
x = tf.constant(3.0)
with tf.GradientTape() as tape:
    y = x * x
    tape.watch(x)
print(tape.gradient(y, x))
""",
    "GD601 a loop": """
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    total = 0.0
    for i in range(x.shape[0]):
        total += x[i]
    return total
print(f(tf.ones([2])))
""",
    "GD601 an int": """
@tf.function(input_signature=[tf.TensorSpec([None, 3], tf.float32)])
def f(x):
    return tf.zeros([x.shape[0], 2])
print(f(tf.ones([2, 3])))
""",
    "GD601 len": """
class P:
    def __init__(self): self.z = tf.Variable(tf.ones([3, 2]), shape=[None, 2])
    def __len__(self):
        return tf.shape(self.z)[0]
p = P()
@tf.function
def f():
    return tf.eye(len(p))
print(f())
""",
    "GD602 an if": """
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    if x.shape[0] == 2:
        return x
    return -x
print(f(tf.ones([2])))
""",
    "GD602 in an expression": """
@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def f(x):
    return x.shape[0] > 1
@tf.function(input_signature=[tf.TensorSpec([None, 2], tf.float32)])
def g(x):
    return tf.cast(x.shape[0] == 2, tf.float32)
print(g(tf.ones([2, 2])))
""",
    "GD801 a mean": """
@tf.function
def f(x):
    mean = tf.reduce_mean(x).numpy()
    return x - mean
print(f(tf.constant([1., 2.])))
""",
    "GD801 a method": """
class M:
    @tf.function
    def f(self, x):
        n = tf.size(x).numpy()
        return tf.zeros([n])
m = M()
print(m.f(tf.ones([2])))
""",
    "GD801 a number": """
@tf.function
def f(x):
    scale = tf.reduce_max(x).numpy()
    return x / scale
print(f(tf.constant([1.0, 2.0])))
""",
    "GD802 axes": """
@tf.function
def f(x):
    return tf.identity(np.sum(x, axis=1, keepdims=True))
print(f(tf.ones([2, 3])))
""",
    "GD802 in a helper": """
def norm(x):
    return np.sqrt(np.sum(np.square(x)))
@tf.function
def f(x):
    return tf.identity(norm(x))
print(f(tf.constant([3.0, 4.0])))
""",
    "GD802 several": """
@tf.function
def f(x):
    y = np.mean(x) + np.dot(x, x) + np.clip(x, 0, 1)[0] + np.max(np.abs(x))
    return tf.convert_to_tensor(y), tf.convert_to_tensor(np.concatenate([x, x]))
print(f(tf.constant([1.0, 2.0])))
""",
    "GD804 a dtype": """
@tf.function
def f(x):
    return tf.constant(tf.reduce_sum(x), dtype=tf.float32)
print(f(tf.ones([2])))
""",
    "GD804 by position": """
@tf.function
def f(x):
    return tf.constant(x * 2.0, tf.float32)
print(f(tf.ones([2])))
""",
    "GD804 in a helper": """
def wrap(x):
    return tf.constant(x)
@tf.function
def f(x):
    return wrap(x) + 1.0
print(f(tf.ones([2])))
""",
    "GD805 a dtype": """
@tf.function
def f(x):
    return tf.sqrt(x, tf.float32)
print(f(tf.ones([2])))
""",
    "GD802 NumPy's types": """
@tf.function
def f(x, label):
    return np.float64(x) / 3, np.int64(label)
print([float(each) for each in f(tf.constant(1.0), tf.constant(2))])
""",
    "GD806 a mask, and adding": """
@tf.function
def f(x):
    y = tf.identity(x)
    y[y > 1.5] = 0.5
    for i in tf.range(2):
        y[i] += 1.0
    return y
print(f(tf.constant([1.0, 2.0])))
""",
    "GD806 a row and an element": """
@tf.function
def f(x):
    m = tf.zeros([3, 2])
    m[1] = 5.0
    m[2, 1] = x[0]
    return m
print(f(tf.ones([2])))
""",
    "GD806 an element": """
@tf.function
def f(x):
    y = tf.zeros([3])
    y[0] = x[0]
    y[-1] = 2.0
    return y
print(f(tf.ones([2])))
""",
    "GD901 a decorated method": """
class M:
    @tf.function(jit_compile=True)
    def f(self, x):
        tf.print("x", x)
        return x * 2.0
m = M()
print(m.f(tf.ones([2])))
""",
    "GD901 strings": """
@tf.function(jit_compile=True)
def f(x):
    return tf.strings.as_string(x)
print(f(tf.constant([1, 2])))
""",
    "GD309 lists that a tuple makes": """
@tf.function
def f(x):
    doubled, signs = [], []
    for row in x:
        doubled.append(row * 2.0)
        signs.append(tf.sign(row))
    return tf.stack(doubled), tf.stack(signs)
print(f(tf.constant([1.0, -2.0])))
""",
    "GD501 a tape given to a helper": """
def ask(recorder, what, of):
    return recorder.gradient(what, of)
def slope(x):
    with tf.GradientTape() as tape:
        y = x * x
    return ask(tape, what=y, of=x)
print(slope(tf.constant(3.0)))
""",
    "GD102 an object of each iteration": """
class Scale:
    def __init__(self, factor):
        self.factor = factor
    @tf.function
    def __call__(self, x):
        return x * self.factor
for number in range(4):
    print(Scale(3.0)(tf.constant(float(number))))
""",
    "GD102 an object of each request": """
class Scale:
    def __init__(self, factor, offset=1.0):
        self.factor = tf.constant(factor)
        self.offset = offset
    @tf.function
    def apply(self, x):
        return x * self.factor + self.offset
class Request:
    factor = 2.0
    def __init__(self, value):
        self.offset = value
        self.scale = Scale(self.factor, offset=0.5)
    def answer(self):
        return self.scale.apply(tf.constant(self.offset))
for value in (1.0, 2.0, 3.0):
    print(Request(value).answer())
""",
    "GD215 a model that another one replaces": """
def make(seed):
    return keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(
        1, kernel_initializer=keras.initializers.RandomNormal(seed=seed))])
class Game:
    def __init__(self):
        self.rival = make(1)
    @tf.function
    def play(self, x, gain=2.0):
        return tf.reduce_sum(self.rival(x)) * gain
    def move(self, x):
        return self.play(x)
    def next(self):
        self.rival = make(2)
game = Game()
x = tf.ones([1, 2])
print(game.move(x), game.play(x, gain=1.0))
game.next()
print(game.move(x), game.play(x, gain=1.0))
""",
    "GD328 a helper that falls back": """
def solve(matrix, right, ridge=0.5):
    '''Solve, or regularise.'''
    try:
        return tf.linalg.solve(matrix, right)
    except tf.errors.InvalidArgumentError:
        return tf.linalg.solve(matrix + ridge * tf.eye(2), right)
@tf.function
def f(matrix, right):
    return tf.reduce_sum(solve(matrix, right))
print(f(tf.eye(2), tf.ones([2, 1])), f(tf.zeros([2, 2]), tf.ones([2, 1])))
""",
    "GD328 a method that tries one after the other": """
class Factor:
    def __init__(self):
        self.tried = (0.0, 1.0)
    def of(self, k):
        for jitter in self.tried:
            try:
                return tf.debugging.check_numerics(tf.linalg.cholesky(k + jitter * tf.eye(2)), "no")
            except tf.errors.InvalidArgumentError:
                pass
        raise ValueError("none")
factor, k = Factor(), tf.Variable([[1.0, 1.0], [1.0, 1.0]])
@tf.function
def slope():
    with tf.GradientTape() as tape:
        total = tf.reduce_sum(factor.of(k * 1.0))
    return tape.gradient(total, k)
print(slope())
""",
    "GD310 a dict at the top": """
PRICES = {1: 0.5, 2: 1.5}
@tf.function
def price(number):
    return PRICES.get(number, -1.0)
print(price(tf.constant(2)), price(tf.constant(7)))
""",
    "GD310 the dict of an object": """
class Words:
    def __init__(self, words):
        self.ids = {word: number for number, word in enumerate(words)}
    def of(self, word):
        return self.ids.get(word, 9)
words = Words(["a", "b"])
print([int(each) for each in tf.data.Dataset.from_tensor_slices(["b", "c"]).map(words.of)])
""",
    "GD310 no value for others, in a pipeline": """
class Words:
    def __init__(self, words):
        self.ids = {word: number + 5 for number, word in enumerate(words)}
    def of(self, clip, word):
        return clip, self.ids[word]
    def data(self):
        pairs = tf.data.Dataset.from_tensor_slices(([0.5, 1.5], ["b", "a"]))
        return pairs.map(lambda clip, word: self.of(clip, word))
print([int(each) for _, each in Words(["a", "b"]).data()])
""",
    "GD310 a dict of the function around": """
def pipeline():
    ranks = {"low": 1, "high": 9}
    def ranked(name):
        return ranks[name]
    return tf.data.Dataset.from_tensor_slices(["high", "low"]).map(ranked)
print([int(each) for each in pipeline()])
""",
    "GD215 a step of a factory, and what it trains is thawed": """
def make_step(net, optimizer):
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(net(x)))
        gradients = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(gradients, net.trainable_variables))
        return len(gradients)
    return step
def main():
    encoder = keras.Sequential([keras.layers.Input((2,)), keras.layers.Dense(2)])
    encoder.trainable = False
    net = keras.Sequential([encoder, keras.layers.Dense(1)])
    net(tf.ones([1, 2]))
    optimizer = keras.optimizers.SGD(0.1)
    step = make_step(net, optimizer)
    print(int(step(tf.ones([1, 2]))))
    encoder.trainable = True
    optimizer.learning_rate = 0.05
    print(int(step(tf.ones([1, 2]))))
main()
""",
    "GD401 a helper that makes it of its argument": """
def running(value, scale: float = 2.0):
    mean = tf.Variable(tf.zeros(value.shape), trainable=False)
    mean.assign(value * scale)
    return value + mean
class Norm(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.size, self.w = size, tf.Variable(tf.ones([size]))
    @tf.function
    def __call__(self, x):
        return running(
            self.w,
        ) * x
norm = Norm(2)
print(norm(tf.constant([1.0, 2.0])), norm(tf.constant([3.0, 2.0])))
""",
    "GD501 a list of tensors, asked for as a whole": """
class Fit:
    @tf.function
    def slopes(self, parts):
        with tf.GradientTape() as recorder:
            loss = parts[0] * parts[1]
        return recorder.gradient(loss, parts)
print([float(slope) for slope in Fit().slopes([tf.constant(2.0), tf.constant(3.0)])])
""",
    "GD501 two tensors": """
def slopes(a, b):
    with tf.GradientTape() as tape:
        loss = a * a * b
    return tape.gradient(loss, [a, b])
print([float(slope) for slope in slopes(tf.constant(2.0), tf.constant(3.0))])
""",
    "GD502 a tape given to a method": """
w = tf.Variable(3.0)
class Trainer:
    def ask(self, recorder, loss):
        return recorder.gradient(loss, w)
    def step(self):
        with tf.GradientTape() as tape:
            y = w * w
        loss = y + w
        return self.ask(tape, loss)
print(Trainer().step())
""",
    "GD507 a tape given to a helper twice": """
a, b = tf.Variable(3.0), tf.Variable(2.0)
def ask(recorder, loss, of):
    return recorder.gradient(loss, of)
with tf.GradientTape() as tape:
    first, second = a * a, a * b
print(ask(tape, first, a), ask(tape, second, b))
""",
    "GD508 a tape given to a helper": """
model = keras.Sequential([keras.layers.Input((2,)), keras.layers.BatchNormalization()])
def apply(recorder, loss, variables):
    gradients = recorder.gradient(loss, variables)
    return [tf.norm(each) for each in gradients]
def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x, training=True) * x)
    return apply(tape, loss, model.variables)
print(len(step(tf.constant([[1.0, 2.0], [3.0, 5.0]]))))
""",
    "GD901 two options": """
@tf.function(jit_compile=True, reduce_retracing=True)
def f(x):
    tf.print("x", x)
    return x * 2
print(f(tf.constant([1.0, 4.0])))
""",
}
# What those print that are wrong, or die, eagerly too.
STATED = {
    "GD211 texts and tensors that a helper joins": "(<tf.Tensor: shape=(), dtype=string, numpy=b'arm/3/2'>, <tf.Tensor: shape=(), dtype=string, numpy=b'n/2/2 times'>)",
    "GD211 a name that becomes a tensor later, and a sum": "(<tf.Tensor: shape=(), dtype=string, numpy=b'step 2'>, <tf.Tensor: shape=(), dtype=string, numpy=b'a2'>)",
    "GD505 a variable of another object": "<tf.Variable 'factor:0' shape=() dtype=float32, numpy=1.0>",
    "GD309 a first element, and the last one read": "tf.Tensor(\n[[1. 1.]\n [2. 2.]\n [4. 4.]\n [8. 8.]\n [1. 1.]], shape=(5, 2), dtype=float32)",
    "GD313 a def with a default": "tf.Tensor([2. 2.], shape=(2,), dtype=float32)",
    "GD313 a lambda": "tf.Tensor([1. 1.], shape=(2,), dtype=float32)",
    "GD313 three defaults": "tf.Tensor(3.0, shape=(), dtype=float32)",
    "GD334 a tuple of numbers": "tf.Tensor(0.01, shape=(), dtype=float32)",
    "GD339 numbers": "True",
    "GD403 an optimizer that a class is given, and a helper applies": "[6.0, -1.5]",
    "GD607 a picture and a number": "True",
    "GD406 TensorFlow's functions": "tf.Tensor([[2. 2. 2.]], shape=(1, 3), dtype=float32)",
    "GD406 a function of TensorFlow's alone": "tf.Tensor([[1.1547005 1.1547005 1.1547005]], shape=(1, 3), dtype=float32)",
    "GD406 several, one in the other, in a loop": "tf.Tensor([[0.5 1.5]], shape=(1, 2), dtype=float32)",
    "GD406 what Keras has as well": "tf.Tensor([[1. 0. 0. 0. 0. 1. 1. 0. 0. 0. 0. 1.]], shape=(1, 12), dtype=float32)",
    "GD407 predict": "tf.Tensor(2.0, shape=(), dtype=float32)",
    "GD411 at the top": "tf.Tensor([2. 2.], shape=(2,), dtype=float32)",
    "GD411 in a function": "tf.Tensor([2. 2.], shape=(2,), dtype=float32)",
    "GD411 in a return": "tf.Tensor([3. 3.], shape=(2,), dtype=float32)",
    "GD502 in a helper": "tf.Tensor([4. 8.], shape=(2,), dtype=float32)",
    "GD502 two lines after": "tf.Tensor([48. 96.], shape=(2,), dtype=float32)",
    "GD502 two lines before": "tf.Tensor(\n[[2.]\n [2.]], shape=(2, 1), dtype=float32)",
    "GD501 a tape given to a helper": "tf.Tensor(6.0, shape=(), dtype=float32)",
    "GD501 a list of tensors, asked for as a whole": "[3.0, 2.0]",
    "GD501 two tensors": "[12.0, 4.0]",
    "GD310 a dict at the top": "tf.Tensor(1.5, shape=(), dtype=float32) tf.Tensor(-1.0, shape=(), dtype=float32)",
    "GD310 the dict of an object": "[1, 9]",
    "GD310 no value for others, in a pipeline": "[6, 5]",
    "GD310 a dict of the function around": "[9, 1]",
    "GD215 a step of a factory, and what it trains is thawed": "2\n4",
    "GD502 a tape given to a method": "tf.Tensor(7.0, shape=(), dtype=float32)",
    "GD503 NumPy of a value that is read and turned": "tf.Tensor(\n[[3. 1.]\n [3. 1.]], shape=(2, 2), dtype=float32)",
    "GD503 NumPy in a helper": "tf.Tensor([0.4 1.4], shape=(2,), dtype=float32) tf.Tensor(0.53, shape=(), dtype=float32)",
    "GD503 a method of NumPy": "tf.Tensor([ 8. 16.], shape=(2,), dtype=float32)",
    "GD503 matmul": "tf.Tensor([3. 3.], shape=(2,), dtype=float32)",
    "GD504 a comparison": "tf.Tensor([-0.45176655 -1.0499359 ], shape=(2,), dtype=float32) tf.Tensor(1.0, shape=(), dtype=float32)",
    "GD504 rounding": "tf.Tensor([2. 2.], shape=(2,), dtype=float32) tf.Tensor(2.0, shape=(), dtype=float32)",
    "GD504 rounding of an expression, in a larger one": "tf.Tensor([6. 6.], shape=(2,), dtype=float32) tf.Tensor(5.0, shape=(), dtype=float32)",
    "GD504 a comparison in a larger expression": "tf.Tensor([-1.3552995 -3.1498077], shape=(2,), dtype=float32) tf.Tensor(3.0, shape=(), dtype=float32)",
    "GD504 rounding of what a call computes": "tf.Tensor([2. 2.], shape=(2,), dtype=float32) tf.Tensor(1.0, shape=(), dtype=float32)",
    "GD504 rounding of what is drawn": "tf.Tensor([1. 1.], shape=(2,), dtype=float32) tf.Tensor(0.0, shape=(), dtype=float32)",
    "GD504 rounding in a lambda": "tf.Tensor([2. 2.], shape=(2,), dtype=float32) tf.Tensor(4.0, shape=(), dtype=float32)",
    "GD504 rounding by Keras": "tf.Tensor([3. 3.], shape=(2,), dtype=float32) tf.Tensor(2.0, shape=(), dtype=float32)",
    "GD504 a comparison of what a call computes": "tf.Tensor([-0.45176655 -1.0499359 ], shape=(2,), dtype=float32) tf.Tensor(1.0, shape=(), dtype=float32)",
    "GD505 a dtype": "tf.Tensor([2. 4.], shape=(2,), dtype=float32)",
    "GD505 an argument": "tf.Tensor([2. 4.], shape=(2,), dtype=float32)",
    "GD505 an array": "tf.Tensor([2. 4.], shape=(2,), dtype=float32)",
    "GD507 a tape given to a helper twice": "tf.Tensor(6.0, shape=(), dtype=float32) tf.Tensor(3.0, shape=(), dtype=float32)",
    "GD508 a tape given to a helper": "2",
    "GD509 a name": "2 [2, 2]",
    "GD509 an attribute": "2",
    "GD509 in a function": "2",
    "GD513 after the computation": "tf.Tensor(6.0, shape=(), dtype=float32)",
    "GD806 a mask, and adding": "tf.Tensor([2.  1.5], shape=(2,), dtype=float32)",
    "GD806 a row and an element": "tf.Tensor(\n[[0. 0.]\n [5. 5.]\n [0. 1.]], shape=(3, 2), dtype=float32)",
    "GD806 an element": "tf.Tensor([1. 0. 2.], shape=(3,), dtype=float32)",
}
