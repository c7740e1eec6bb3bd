"""What AutoGraph makes of a program: each was run on TensorFlow 2.21, which raised there, or ran."""

from inspect import cleandoc

import pytest
from tests.checking import recorded

from graphdoctor.recording.format import Escape, Staging, Use

HEAD = "import typing\nimport tensorflow as tf\nx = tf.ones([2])\n"


def refusals(program: str) -> str:
    """Why a program cannot be traced, in order: reasons of Staging, ways of Use, `leak` out of a loop."""
    program = HEAD + cleandoc(program)
    events = recorded(program if "\nf(" in program else program + "\nf(x)").events
    found = []
    for event in events:
        if isinstance(event, Staging) and event.outcome == "refused":
            found.append(event.reason)
        elif isinstance(event, Use):
            found.append(event.how)
        elif isinstance(event, Escape) and event.graph == "loop":
            found.append("leak")
    return " ".join(dict.fromkeys(found))


RUNS = {
    "loop None": """
        @tf.function
        def f(n):
            s = None
            for i in tf.range(n):
                s = tf.constant(1.0)
            return s
        f(tf.constant(3))
        """,
    "append in if": """
        @tf.function
        def f(x):
            y = []
            if tf.reduce_sum(x) > 0:
                y.append(x)
            return y
        """,
    "strings": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = 'a'
            else:
                y = 'b'
            return y
        """,
    "ternary in comprehension": """
        @tf.function
        def f(x):
            return [v if x[0] > 0 else 0 for v in [1, 2]]
        """,
    "continue": """
        @tf.function
        def f(x):
            for i in range(3):
                if tf.reduce_sum(x) > 20:
                    continue
                x = x + 1
            return x
        """,
    "nested both": """
        @tf.function
        def f(x):
            if x[0] > 0:
                if x[1] > 0:
                    y = x
                else:
                    y = -x
            else:
                y = x * 2
            return y
        """,
    "dict const key in loop": """
        @tf.function
        def f(x, d):
            out = {}
            for i in tf.range(3):
                out['a'] = i
            return out
        f(x, 1)
        """,
    "set not read": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = x
                z = 1
            return x
        """,
    "caught": """
        @tf.function
        def f(x):
            try:
                if tf.reduce_sum(x) > 0:
                    y = x
                return y
            except ValueError:
                return x
        """,
    "z in loop both": """
        @tf.function
        def f(x):
            for i in tf.range(3):
                if i > 1:
                    z = x
                else:
                    z = -x
            return z
        """,
    "not": """
        @tf.function
        def f(x):
            if not x[0] > 0:
                x = -x
            return x
        """,
    "inner fn through foldl, helper": """
        def h(v):
            if v > 1:
                v = v * 2
            return v
        @tf.function
        def f(x):

            def g(a, v):
                if v > 0:
                    a = a + h(v)
                return a
            return tf.foldl(g, x)
        """,
    "lambda ternary in while_loop": """
        @tf.function
        def f(x):
            return tf.while_loop(lambda i: i < 3, lambda i: (i + 1 if i > 0 else i + 2,), [tf.constant(0)])
        """,
    "functools.reduce": """
        def hh(a, b):
            if a > b:
                return a
            return b
        @tf.function
        def f(x):
            import functools
            return functools.reduce(lambda a, b: hh(a, b), tf.unstack(x))
        """,
    "map_fn": """
        def h(v):
            if v > 1:
                v = v * 2
            return v
        @tf.function
        def f(x):
            return tf.map_fn(h, x)
        """,
    "ternary tuples": """
        @tf.function
        def f(x):
            a, b = (x, 1) if tf.reduce_sum(x) > 0 else (x, 2)
            return a * tf.cast(b, tf.float32)
        """,
    "None both": """
        @tf.function
        def f(x):
            y = None
            if tf.reduce_sum(x) > 0:
                y = None
            return x
        """,
    "None guard in loop": """
        @tf.function
        def f(x):
            y = None
            for i in tf.range(3):
                if y is None:
                    y = x
                else:
                    y = y + x
            return y
        """,
    "python str decided": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                mode = 'a'
            else:
                mode = 'b'
            if mode == 'a':
                return x
            return -x
        """,
    "range of decided": """
        @tf.function
        def f(x):
            n = 3
            if tf.reduce_sum(x) > 0:
                n = 4
            for i in range(n):
                x = x + 1
            return x
        """,
    "while python and tensor": """
        @tf.function
        def f(x):
            i = 0
            while i < 10 and tf.reduce_sum(x) < 20.0:
                x = x * 2
                i += 1
            return x
        """,
    "while tensor and python": """
        @tf.function
        def f(x):
            i = 0
            while tf.reduce_sum(x) < 20.0 and i < 10:
                x = x * 2
                i += 1
            return x
        """,
    "branch shapes": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = tf.zeros([2])
            else:
                y = tf.zeros([3])
            return y
        """,
    "None set in loop": """
        @tf.function
        def f(x):
            v = tf.Variable(1.0) if False else tf.constant(1.0)
            for i in tf.range(3):
                ta = tf.TensorArray(tf.float32, 3) if False else None
            return x
        """,
    "concat open": """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def f(x):
            s = x
            for i in tf.range(3):
                s = tf.concat([s, x], 0)
            return s
        """,
    "open to static": """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def f(x):
            s = x
            for i in tf.range(3):
                s = tf.zeros([2])
            return s
        """,
    "set before break not read": """
        @tf.function
        def f(x):
            for i in tf.range(3):
                if i > 1:
                    done = True
                    break
            return x
        """,
    "with in branch": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                with tf.name_scope('a'):
                    y = x
            else:
                y = -x
            return y
        """,
    "del": """
        @tf.function
        def f(x):
            del_me = x
            if tf.reduce_sum(x) > 0:
                del del_me
            return x
        """,
    "namedtuple": """
        class NT(typing.NamedTuple):
            a: tf.Tensor
            b: tf.Tensor
        @tf.function
        def f(x):
            s = NT(x, x)
            if tf.reduce_sum(x) > 0:
                s = NT(x, -x)
            return s
        """,
    "object not read": """
        class Obj:
            pass
        @tf.function
        def f(x):
            o = Obj()
            if tf.reduce_sum(x) > 0:
                o = Obj()
            return x
        """,
    "import": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                import math as m
            else:
                m = None
            return x
        """,
    "with return inside": """
        @tf.function
        def f(x):
            with tf.name_scope('a'):
                if tf.reduce_sum(x) > 0:
                    return x
                return -x
        """,
    "with if else return": """
        @tf.function
        def f(x):
            with tf.name_scope('a'):
                if tf.reduce_sum(x) > 0:
                    return x
                else:
                    return -x
        """,
    "dict state": """
        @tf.function
        def f(x):
            state = {'n': 0, 's': tf.zeros([2])}
            for i in tf.range(3):
                state = {'n': state['n'] + 1, 's': state['s'] + x}
            return state['s']
        """,
    "chained": """
        @tf.function
        def f(x):
            return 0 < x[0] < 2
        """,
    "sum list": """
        @tf.function
        def f(x):
            return sum([x[0], x[1]])
        """,
    "done python true in branch": """
        @tf.function
        def f(x):
            done = tf.constant(False)
            while not done:
                x = x * 2
                if x[0] > 10:
                    done = True
            return x
        """,
    "range len static": """
        @tf.function
        def f(x):
            out = []
            for i in range(len(x)):
                out.append(x[i])
            return tf.stack(out)
        """,
    "python while": """
        @tf.function
        def f(x):
            i = 0
            while i < 3:
                x = x + 1
                i += 1
            return x
        """,
    "while counter": """
        @tf.function
        def f(x):
            i = 0
            while x[0] < 10:
                x = x + 1
                i += 1
            return (x, i)
        """,
    "best of python list": """
        @tf.function
        def f(x):
            best = None
            for v in [x, -x]:
                if best is None:
                    best = v
                elif tf.reduce_sum(v) > tf.reduce_sum(best):
                    best = v
            return best
        """,
    "best float": """
        @tf.function
        def f(x):
            best = 0.0
            for v in [x, -x]:
                s = tf.reduce_sum(v)
                if s > best:
                    best = s
            return best
        """,
    "bool flag": """
        @tf.function
        def f(x):
            ok = True
            if tf.reduce_sum(x) > 0:
                ok = False
            if ok:
                x = -x
            return x
        """,
    "counter int": """
        @tf.function
        def f(x):
            n = 0
            if tf.reduce_sum(x) > 0:
                n += 1
            if tf.reduce_sum(x) > 1:
                n += 1
            return n
        """,
    "loss": """
        @tf.function
        def f(x):
            loss = 0.0
            for i in range(3):
                if x[0] > i:
                    loss += x[0]
            return loss
        """,
    "unread": """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                msg = 'pos'
            tf.print('x')
            return x
        """,
    "append in staged if": """
        @tf.function
        def f(x):
            xs = []
            for i in range(3):
                if x[0] > 0:
                    xs.append(x)
            return tf.stack(xs)
        """,
    "unread int vs tensor": """
        @tf.function
        def f(x):
            v = x
            if x[0] > 0:
                v = v.shape[0]
            return x
        """,
    "tuple assign both": """
        @tf.function
        def f(x):
            a = b = None
            if x[0] > 0:
                a, b = (x, -x)
            else:
                a, b = (-x, x)
            return a + b
        """,
    "set in loop only": """
        @tf.function
        def f(x):
            for i in tf.range(2):
                y = x * 2.0
            return y
        """,
    "loop target python before": """
        @tf.function
        def f(x):
            i = 0
            for i in tf.range(3):
                pass
            return i
        """,
    "concat then slice": """
        @tf.function
        def f(x):
            ys = tf.zeros([1, 2])
            for i in tf.range(3):
                ys = tf.concat([ys, x[tf.newaxis]], axis=0)
                ys = ys[1:]
            return ys
        """,
    "matmul": """
        @tf.function
        def f(x):
            m = tf.zeros([2, 2])
            for i in tf.range(3):
                m = tf.matmul(m, tf.ones([2, 2]))
            return m
        """,
    "0 + int32": """
        @tf.function
        def f(x):
            q = 0
            for r in x:
                q = q + tf.cast(r, tf.int32)
            return q
        """,
    "if in loop": """
        @tf.function
        def f(x):
            prev = 0.0
            for r in x:
                if r > prev:
                    prev = r
            return prev
        """,
    "found flag": """
        @tf.function
        def f(x):
            found = False
            for r in x:
                if r > 0:
                    found = True
            return found
        """,
    "idx break": """
        @tf.function
        def f(x):
            idx = -1
            for i in tf.range(2):
                if x[i] > 0:
                    idx = i
                    break
            return idx
        """,
    "enumerate unstack": """
        @tf.function
        def f(x):
            idx = -1
            for i, v in enumerate(tf.unstack(x)):
                if v > 0:
                    idx = i
            return idx
        """,
    "shape and tensor": """
        @tf.function
        def f(x):
            if x.shape[0] == 2 and tf.reduce_sum(x) > 0:
                y = x
            else:
                y = -x
            return y
        """,
    "training and": """
        @tf.function
        def f(x, training=True):
            if training and tf.reduce_sum(x) > 0:
                y = x
            return x
        """,
    "dict value in branch": """
        @tf.function
        def f(x):
            names = {'a': x}
            for k in names:
                if names[k][0] > 0:
                    names[k] = -names[k]
            return names
        """,
    "list item in branch": """
        @tf.function
        def f(x):
            xs = [x, x]
            for i in range(2):
                if xs[i][0] > 0:
                    xs[i] = -xs[i]
            return xs[0]
        """,
    "list const item in loop": """
        @tf.function
        def f(x):
            xs = [x, x]
            for i in tf.range(2):
                xs[0] = xs[0] + 1.0
            return xs[0]
        """,
}

RAISES = {
    "nested generator": (
        """
        @tf.function
        def f(x):

            def gen():
                yield 1
            if tf.reduce_sum(x) > 0:
                x = x + 1
            return x
        """,
        "inner-generator",
    ),
    "nested walrus": (
        """
        @tf.function
        def f(x):

            def g(a):
                return (b := a) + b
            if tf.reduce_sum(x) > 0:
                x = x + 1
            return x
        """,
        "walrus",
    ),
    "walrus in comprehension": (
        """
        @tf.function
        def f(x):
            y = [(b := v) for v in [1, 2]]
            if tf.reduce_sum(x) > 0:
                x = x + 1
            return x
        """,
        "walrus",
    ),
    "return in python for": (
        """
        @tf.function
        def f(x):
            for v in [1.0, 2.0]:
                if tf.reduce_sum(x) > v:
                    return x
            return -x
        """,
        "break",
    ),
    "break in python while": (
        """
        @tf.function
        def f(x):
            i = 0
            while i < 3:
                if tf.reduce_sum(x) > 5:
                    break
                x = x + 1
                i += 1
            return x
        """,
        "break",
    ),
    "0 vs int64": (
        """
        @tf.function
        def f(x):
            y = 0
            if tf.reduce_sum(x) > 0:
                y = tf.constant(1, tf.int64)
            return y
        """,
        "dtype",
    ),
    "1.0 vs float64": (
        """
        @tf.function
        def f(x):
            y = 1.0
            if tf.reduce_sum(x) > 0:
                y = tf.constant(1, tf.float64)
            return y
        """,
        "dtype",
    ),
    "0 vs float32": (
        """
        @tf.function
        def f(x):
            y = 0
            if tf.reduce_sum(x) > 0:
                y = tf.constant(1.0)
            return y
        """,
        "dtype",
    ),
    "loop 0 += int64": (
        """
        @tf.function
        def f(n):
            s = 0
            for i in tf.range(n):
                s += tf.constant(1, tf.int64)
            return s
        f(tf.constant(3))
        """,
        "dtype",
    ),
    "loop 0 += float": (
        """
        @tf.function
        def f(n):
            s = 0
            for i in tf.range(n):
                s += tf.constant(1.0)
            return s
        f(tf.constant(3))
        """,
        "dtype",
    ),
    "loop 0 = float": (
        """
        @tf.function
        def f(n):
            s = 0
            for i in tf.range(n):
                s = tf.constant(1.0)
            return s
        f(tf.constant(3))
        """,
        "dtype",
    ),
    "loop 0.0 += float64": (
        """
        @tf.function
        def f(n):
            s = 0.0
            for i in tf.range(n):
                s = s + tf.constant(1.0, tf.float64)
            return s
        f(tf.constant(3))
        """,
        "dtype",
    ),
    "loop 0 + 0.5": (
        """
        @tf.function
        def f(n):
            s = 0
            for i in tf.range(n):
                s = s + 0.5
            return s
        f(tf.constant(3))
        """,
        "dtype",
    ),
    "loop shape": (
        """
        @tf.function
        def f(n):
            s = tf.zeros([2])
            for i in tf.range(n):
                s = tf.zeros([3])
            return s
        f(tf.constant(3))
        """,
        "shape",
    ),
    "loop shape bcast": (
        """
        @tf.function
        def f(n):
            s = tf.zeros([])
            for i in tf.range(n):
                s = s + tf.zeros([3])
            return s
        f(tf.constant(3))
        """,
        "shape",
    ),
    "loop python shape bcast": (
        """
        @tf.function
        def f(n):
            s = 0.0
            for i in tf.range(n):
                s = s + tf.zeros([3])
            return s
        f(tf.constant(3))
        """,
        "shape",
    ),
    "if list lengths": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = [x, x]
            else:
                y = [x]
            return tf.add_n(y)
        """,
        "structure",
    ),
    "return elif no else": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                return x
            elif tf.reduce_sum(x) > 1:
                return x * 2
        """,
        "return",
    ),
    "return structures": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                return (x, 1)
            return x
        """,
        "structure",
    ),
    "return dtypes": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                return 1
            return 0.5
        """,
        "dtype",
    ),
    "return none": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                return x
            return None
        """,
        "return",
    ),
    "functions in branches": (
        """
        @tf.function
        def f(x):
            fn = tf.abs
            if tf.reduce_sum(x) > 0:
                fn = tf.square
            return fn(x)
        """,
        "object",
    ),
    "ternary none": (
        """
        @tf.function
        def f(x):
            z = x if tf.reduce_sum(x) > 0 else None
            return z
        """,
        "none",
    ),
    "ternary dtype": (
        """
        @tf.function
        def f(x):
            z = 1 if tf.reduce_sum(x) > 0 else 0.5
            return z
        """,
        "dtype",
    ),
    "comprehension if tensor": (
        """
        @tf.function
        def f(x):
            return [v for v in [1, 2] if x[0] > 0]
        """,
        "comprehension-if",
    ),
    "for target unpack tensor": (
        """
        @tf.function
        def f(x):
            for a, b in tf.ones([3, 2]):
                x = x + a
            return x
        """,
        "unpack",
    ),
    "in tensor": (
        """
        @tf.function
        def f(x):
            return 1.0 in x
        """,
        "membership",
    ),
    "tensor in tuple": (
        """
        @tf.function
        def f(x):
            return x[0] in (1.0, 2.0)
        """,
        "membership",
    ),
    "while true return": (
        """
        @tf.function
        def f(x):
            while True:
                x = x * 2
                if tf.reduce_sum(x) > 20:
                    return x
        """,
        "break-endless",
    ),
    "dict of list append": (
        """
        @tf.function
        def f(x):
            out = {'a': []}
            for i in tf.range(3):
                out['a'].append(i)
            return out['a']
        """,
        "leak",
    ),
    "z in loop branch": (
        """
        @tf.function
        def f(x):
            for i in tf.range(3):
                if i > 1:
                    z = x
            return z
        """,
        "undefined",
    ),
    "raise": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                raise ValueError('x')
            else:
                return x
        """,
        "raise",
    ),
    "raise in helper": (
        """
        def helper(x):
            if tf.reduce_sum(x) > 100:
                raise ValueError('y')
            return x
        @tf.function
        def f(x):
            return helper(x)
        """,
        "raise",
    ),
    "raise in loop": (
        """
        @tf.function
        def f(x):
            for i in tf.range(3):
                raise ValueError('z')
            return x
        """,
        "raise",
    ),
    "global body in while_loop": (
        """
        def bodyf(i):
            if i > 0:
                return (i + 1,)
            return (i + 2,)
        @tf.function
        def f(x):
            return tf.while_loop(lambda i: i < 3, bodyf, [tf.constant(0)])
        """,
        "callback:tf.while_loop",
    ),
    "global fn in tf.cond": (
        """
        def othr():
            if tf.constant(True):
                return tf.constant(2)
            return tf.constant(3)
        @tf.function
        def f(x):
            return tf.cond(x[0] > 0, lambda: tf.constant(1), othr)
        """,
        "callback:tf.cond",
    ),
    "nest.map_structure": (
        """
        def h(v):
            if v > 1:
                v = v * 2
            return v
        @tf.function
        def f(x):
            return tf.nest.map_structure(h, [x[0]])
        """,
        "callback:tf.nest.map_structure",
    ),
    "builtin map": (
        """
        def h(v):
            if v > 1:
                v = v * 2
            return v
        @tf.function
        def f(x):
            return list(map(h, tf.unstack(x)))
        """,
        "callback:map",
    ),
    "sorted key": (
        """
        def h(v):
            if v > 1:
                v = v * 2
            return v
        @tf.function
        def f(x):
            return sorted(tf.unstack(x), key=h)
        """,
        "callback:sorted",
    ),
    "switch_case": (
        """
        def othr():
            if tf.constant(True):
                return tf.constant(2)
            return tf.constant(3)
        @tf.function
        def f(x):
            return tf.switch_case(tf.constant(0), [othr])
        """,
        "callback:tf.switch_case",
    ),
    "scan": (
        """
        def hh(a, b):
            if a > b:
                return a
            return b
        @tf.function
        def f(x):
            return tf.scan(hh, x)
        """,
        "callback:tf.scan",
    ),
    "append by closure": (
        """
        @tf.function
        def f(x):
            out = []

            def add(v):
                out.append(v)
            for i in tf.range(3):
                add(i)
            return tf.stack(out)
        """,
        "leak",
    ),
    "list + in loop": (
        """
        @tf.function
        def f(x):
            i = tf.constant(0)
            out = []
            while i < 3:
                out = out + [i]
                i += 1
            return tf.stack(out)
        """,
        "structure",
    ),
    "list before then list1": (
        """
        @tf.function
        def f(x):
            d = []
            if tf.reduce_sum(x) > 0:
                d = [x]
            return d
        """,
        "structure",
    ),
    "tuple vs list": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                y = (x, x)
            else:
                y = [x, x]
            return y[0]
        """,
        "structure",
    ),
    "tensor vs tuple": (
        """
        @tf.function
        def f(x):
            y = x
            if tf.reduce_sum(x) > 0:
                y = (x, x)
            return y
        """,
        "structure",
    ),
    "concat": (
        """
        @tf.function
        def f(x):
            s = tf.zeros([0, 2])
            for i in tf.range(3):
                s = tf.concat([s, x[None]], 0)
            return s
        """,
        "shape",
    ),
    "static to open": (
        """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def f(x):
            s = tf.zeros([2])
            for i in tf.range(3):
                s = x
            return s
        """,
        "shape",
    ),
    "py for break": (
        """
        @tf.function
        def f(x):
            for i in range(3):
                if tf.reduce_sum(x) > 3:
                    y = x
                    break
                x = x + 1
            return x
        """,
        "break",
    ),
    "return in with": (
        """
        @tf.function
        def f(x):
            with tf.name_scope('a'):
                if tf.reduce_sum(x) > 0:
                    return x
            return -x
        """,
        "return",
    ),
    "range tensor return": (
        """
        @tf.function
        def f(x, n):
            for i in range(n):
                if x[0] > 5:
                    return x
            return -x
        f(x, tf.constant(3))
        """,
        "return-in-loop",
    ),
    "object read": (
        """
        class Obj:
            pass
        @tf.function
        def f(x):
            o = Obj()
            o.v = 1
            if tf.reduce_sum(x) > 0:
                o = Obj()
                o.v = 2
            return x * o.v
        """,
        "object",
    ),
    "tf.function generator": (
        """
        @tf.function
        def f(x):
            yield x
        """,
        "generator",
    ),
    "py loop in tf loop": (
        """
        @tf.function
        def f(x):
            for i in tf.range(3):
                for j in range(3):
                    if x[0] > j:
                        break
                    x = x + 1
            return x
        """,
        "break",
    ),
    "tuple state dtype": (
        """
        @tf.function
        def f(x):
            state = (0, x)
            for i in tf.range(3):
                state = (state[0] + 0.5, state[1])
            return state[1]
        """,
        "dtype",
    ),
    "enumerate dataset index list": (
        """
        @tf.function
        def f(x):
            ws = [1.0, 2.0, 3.0]
            for i, v in enumerate(tf.data.Dataset.range(3)):
                x = x + ws[i]
            return x
        """,
        "index",
    ),
    "all list": (
        """
        @tf.function
        def f(x):
            return all([x[0] > 0, x[1] > 0])
        """,
        "bool",
    ),
    "all generator": (
        """
        @tf.function
        def f(x):
            return all((v > 0 for v in [x[0], x[1]]))
        """,
        "bool",
    ),
    "dict get tensor": (
        """
        @tf.function
        def f(x):
            table = {0: 1.0, 1: 2.0}
            return table.get(tf.cast(x[0], tf.int32), 0.0)
        """,
        "key",
    ),
    "zip list tensor": (
        """
        @tf.function
        def f(x):
            t = 0.0
            for a, b in zip([1.0, 2.0], x):
                t += a * b
            return t
        """,
        "iteration",
    ),
    "sum tensor": (
        """
        @tf.function
        def f(x):
            return sum(x)
        """,
        "iteration",
    ),
    "return in tuple loop": (
        """
        @tf.function
        def f(x):
            for a in (x[0], x[1]):
                if a > 5:
                    return a
            return x[0]
        """,
        "break",
    ),
    "range len open": (
        """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def f(x):
            out = []
            for i in range(len(x)):
                out.append(x[i])
            return tf.stack(out)
        """,
        "leak",
    ),
    "range shape open": (
        """
        @tf.function(input_signature=[tf.TensorSpec([None])])
        def f(x):
            out = []
            for i in range(x.shape[0]):
                out.append(x[i])
            return tf.stack(out)
        """,
        "size",
    ),
    "best int then float": (
        """
        @tf.function
        def f(x):
            best = -1
            for v in [x, -x]:
                s = tf.reduce_sum(v)
                if s > best:
                    best = s
            return best
        """,
        "dtype",
    ),
    "two names one int": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:
                a = 1.0
                b = 2.0
            else:
                a = 2.0
                b = 1
            return x * a * b
        """,
        "dtype",
    ),
    "loss int": (
        """
        @tf.function
        def f(x):
            loss = 0
            for i in range(3):
                if x[0] > i:
                    loss += x[0]
            return loss
        """,
        "dtype",
    ),
    "def in branches": (
        """
        @tf.function
        def f(x):
            if tf.reduce_sum(x) > 0:

                def g(v):
                    return v * 2
            else:

                def g(v):
                    return v * 3
            return g(x)
        """,
        "object",
    ),
    "none both": (
        """
        @tf.function
        def f(x):
            v = x
            if x[0] > 0:
                v = None
            else:
                v = None
            return v
        """,
        "none",
    ),
    "tuple assign one": (
        """
        @tf.function
        def f(x):
            if x[0] > 0:
                a, b = (x, -x)
            return a + b
        """,
        "undefined",
    ),
    "reshape rank": (
        """
        @tf.function
        def f(x):
            m = tf.zeros([2])
            for i in tf.range(3):
                m = tf.reshape(m, [1, 2])
            return m
        """,
        "shape",
    ),
    "while concat": (
        """
        @tf.function
        def f(x):
            m = tf.constant([0.0])
            while tf.reduce_sum(m) < 3.0:
                m = tf.concat([m, tf.ones([1])], 0)
            return m
        """,
        "shape",
    ),
    "tensor int32 += int64": (
        """
        @tf.function
        def f(x):
            q = tf.constant(0)
            for r in x:
                q = q + tf.cast(r, tf.int64)
            return q
        """,
        "dtype",
    ),
    "1 / 2": (
        """
        @tf.function
        def f(x):
            q = 1
            for r in x:
                q = q / 2
            return q
        """,
        "dtype",
    ),
    "list tensor item in loop": (
        """
        @tf.function
        def f(x):
            xs = [x, x]
            for i in tf.range(2):
                xs[i] = xs[0] + 1.0
            return xs[0]
        """,
        "index",
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_what_runs_is_refused_nothing(name: str) -> None:
    assert refusals(RUNS[name]) == ""


@pytest.mark.parametrize("name", RAISES)
def test_what_raises_is_refused(name: str) -> None:
    program, reasons = RAISES[name]
    assert refusals(program) == reasons
