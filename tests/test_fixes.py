"""Fixes of programs with comments and odd formatting: what they become, and when they are left alone."""

import pytest

from tests.checking import fixed

HEAD = "import tensorflow as tf\n\n\n@tf.function\ndef f(x, y=1):\n"


def body(text: str) -> str:
    return HEAD + "".join(f"    {line}\n" if line else "\n" for line in text.strip("\n").split("\n"))


FIXED = {
    "GD317 the result after the loop is known before it": (
        "GD317",
        """
for v in tf.reshape(x, [-1]):
    if v > 0:  # found
        return v
return tf.constant(-1.0)
""",
        """
result = tf.constant(-1.0)
for v in tf.reshape(x, [-1]):
    if v > 0:  # found
        result = v
        break
return result
""",
    ),
    "GD317 a flag where the loop changes what is returned after it": (
        "GD317",
        """
total = tf.constant(0.0)
for i in tf.range(3):
    total += x[i]
    if total > y: return total  # enough
return -total
""",
        """
total = tf.constant(0.0)
found = tf.constant(False)
result = -total
for i in tf.range(3):
    total += x[i]
    if total > y: found = tf.constant(True); result = total; break  # enough
return result if found else -total
""",
    ),
    "GD317 a number becomes what the loop returns": (
        "GD317",
        """
result = 3
for i in tf.range(3):
    if x[i] > result:
        return tf.cast(i, tf.float32)
return -1
""",
        """
result = 3
returned = tf.constant(-1, tf.float32)
for i in tf.range(3):
    if x[i] > result:
        returned = tf.cast(i, tf.float32)
        break
return returned
""",
    ),
    "GD317 two returns": (
        "GD317",
        """
for i in tf.range(3):
    if x[i] > 0:
        return i
    if x[i] < -9:
        return -i
return 3
""",
        """
found = tf.constant(False)
result = tf.zeros([], tf.int32)
for i in tf.range(3):
    if x[i] > 0:
        found = tf.constant(True)
        result = i
        break
    if x[i] < -9:
        found = tf.constant(True)
        result = -i
        break
if found:
    return result
return 3
""",
    ),
    "GD317 more follows the loop": (
        "GD317",
        """
for i in tf.range(3):
    if x[i] > 0:
        return i
x = x + 1
return tf.size(x)
""",
        """
found = tf.constant(False)
result = tf.zeros([], tf.int32)
for i in tf.range(3):
    if x[i] > 0:
        found = tf.constant(True)
        result = i
        break
if found:
    return result
x = x + 1
return tf.size(x)
""",
    ),
    "GD327 more than the raise": (
        "GD327",
        """
if tf.norm(x) > 1.0:
    tf.print("no")
    raise ValueError("no")
return x
""",
        """
if tf.norm(x) > 1.0:
    tf.print("no")
    tf.debugging.Assert(False, ["no"])
return x
""",
    ),
    "GD322 continue": (
        "GD322",
        """
while (n := tf.norm(x)) > 1.0:
    x = x / 2.0
    if n > 9.0:
        continue
    x = x - 1.0
return x
""",
        """
n = tf.norm(x)
while n > 1.0:
    x = x / 2.0
    if n > 9.0:
        n = tf.norm(x)
        continue
    x = x - 1.0
    n = tf.norm(x)
return x
""",
    ),
    "GD322 in a while": (
        "GD322",
        """
while ( n := tf.norm(x) ) > 1.0:  # too long
    x = x / 2.0
    # halved

return n
""",
        """
n = tf.norm(x)
while ( n ) > 1.0:  # too long
    x = x / 2.0
    n = tf.norm(x)
    # halved

return n
""",
    ),
    "GD323 comments, alternatives, guards, one line": (
        "GD323",
        """
match y:  # how
    # the usual one
    case "mean": z = tf.reduce_mean(x)  # default
    case "sum" | "total" if y:
        z = tf.reduce_sum(x)
    case None | -1:
        z = x[0]
    case _:  # else
        z = tf.reduce_max(x)
return z if tf.reduce_sum(x) > 1.0 else x
""",
        """
# how
# the usual one
if y == "mean": z = tf.reduce_mean(x)  # default
elif (y == "sum" or y == "total") and (y):
    z = tf.reduce_sum(x)
elif y is None or y == -1:
    z = x[0]
else:  # else
    z = tf.reduce_max(x)
return z if tf.reduce_sum(x) > 1.0 else x
""",
    ),
    "GD219 where it is written": (
        "GD219",
        """
print("x", x,
      file=sys.stdout,  # not the error stream
      sep=" = ")
""",
        """
tf.print("x", x,
      file=sys.stdout,  # not the error stream
      sep=" = ")
""".replace("file=", "output_stream="),
    ),
    "GD309 a comment in the call": (
        "GD309",
        """
rows = []   # grows
for i in tf.range(3):
    rows.append(   # one more
        x[i] ** 2
    )
return tf.stack( rows )  # all
""",
        """
rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)   # grows
for i in tf.range(3):
    rows = rows.write(   # one more
        rows.size(), x[i] ** 2
    )
return rows.stack()  # all
""",
    ),
    "GD309 counts are integers": (
        "GD309",
        """
rows = list()
for i in tf.range(x):
    rows.append(2 * i)
return tf.stack(rows)
""",
        """
rows = tf.TensorArray(tf.int32, size=0, dynamic_size=True)
for i in tf.range(x):
    rows = rows.write(rows.size(), 2 * i)
return rows.stack()
""",
    ),
    "GD327 the values in the message": (
        "GD327",
        """
n = tf.shape(x)[0]
if n > 10: raise ValueError(f"too long: {n} rows")  # no
return x
""",
        """
n = tf.shape(x)[0]
tf.debugging.Assert(tf.logical_not(n > 10), ["too long: ", n, " rows"])  # no
return x
""",
    ),
}
LEFT = {
    "GD317 nothing follows the loop": ("GD317", "for i in tf.range(3):\n    if x[i] > 0:\n        return i"),
    "GD317 a number of another dtype, perhaps": (
        "GD317",
        "for i in tf.range(3):\n    if x[i] > 0:\n        return x[i]\nreturn -1",
    ),
    "GD317 the loop in a loop": (
        "GD317",
        """
for j in range(2):
    for i in tf.range(3):
        if x[i] > 0:
            return i
    return tf.constant(1)
""",
    ),
    "GD322 behind another condition": ("GD322", "if y and (n := tf.norm(x)) > 1.0:\n    x = x / n\nreturn x"),
    "GD322 in an elif": (
        "GD322",
        "if tf.norm(x) > 5.0:\n    x = x + 1\nelif (n := tf.norm(x)) > 1.0:\n    x = x / n\nreturn x",
    ),
    "GD323 patterns that take apart": (
        "GD323",
        "match y:\n    case (a, b): x = x * a + b\nreturn x if tf.norm(x) > 1.0 else -x",
    ),
    "GD219 a file": ("GD219", 'print("x", x, file=log)'),
    "GD219 a text formatted elsewhere": ("GD219", 'print("a" + f"x {x}")'),
}


@pytest.mark.parametrize("name", FIXED)
def test_fixed(name: str) -> None:
    rule, before, after = FIXED[name]
    preamble = "import sys\n" if "sys." in before else ""
    assert fixed(preamble + body(before), rule) == preamble + body(after)


@pytest.mark.parametrize("name", LEFT)
def test_left_to_the_author(name: str) -> None:
    rule, before = LEFT[name]
    assert fixed(body(before), rule) == body(before)


def test_deprecated_options_of_partials_and_hints() -> None:
    program = (
        "import functools\nimport tensorflow as tf\n"
        "fast = functools.partial(tf.function, experimental_relax_shapes = True)\n"
        "g = tf.function(f, experimental_compile=None,  # not now\n"
        "                experimental_follow_type_hints=True, autograph=False)\n"
        "h = tf.function(f, experimental_follow_type_hints=True)\n"
    )
    assert fixed(program, "GD105") == (
        "import functools\nimport tensorflow as tf\n"
        "fast = functools.partial(tf.function, reduce_retracing = True)\n"
        "g = tf.function(f, jit_compile=None,  # not now\n"
        "                autograph=False)\n"
        "h = tf.function(f)\n"
    )


def test_the_import_that_a_fix_needs() -> None:
    program = (
        '"""A layer."""\nfrom __future__ import annotations\n\nimport keras\n\n\n'
        "class Show(keras.layers.Layer):\n    def call(self, x):\n        print(x)\n        return x\n"
    )
    assert fixed(program, "GD219") == program.replace(
        "import keras\n", "import keras\nimport tensorflow as tf\n"
    ).replace("print", "tf.print")
