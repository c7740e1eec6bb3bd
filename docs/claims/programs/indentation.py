"""Wrong indentation and missing colons make the conversion fail

Syntax errors, such as wrong indentation or a missing colon, prevent AutoGraph from converting a
function.

Say instead: Python itself refuses such a file, before AutoGraph sees it. What Python accepts and
AutoGraph does not is an indentation that mixes tabs and spaces.
"""

import importlib
import pathlib
import sys
import tempfile

import tensorflow as tf

tf.get_logger().setLevel("ERROR")
texts = {
    "missing_colon": "def f(x):\n    if tf.reduce_sum(x) > 0.0\n        x = x * 2.0\n",
    "wrong_indentation": "def f(x):\n    x = x * 2.0\n  return x\n",
    "tabs_and_spaces": "if True:\n\tdef f(x):\n\t        if tf.reduce_sum(x) > 0.0:\n"
    "\t                x = x * 2.0\n\t        return x\n",
}
found = {}
with tempfile.TemporaryDirectory() as folder:
    sys.path.insert(0, folder)
    for name, text in texts.items():
        pathlib.Path(folder, f"{name}.py").write_text("import tensorflow as tf\n" + text)
        try:
            tf.function(importlib.import_module(name).f)(tf.ones([2]))
            found[name] = "works"
        except Exception as error:
            found[name] = type(error).__name__
        print(f"{name}: {found[name]}")
before_autograph = found["missing_colon"] == "SyntaxError"
by_autograph = found["tabs_and_spaces"] == "OperatorNotAllowedInGraphError"
print("verdict:", "partly" if before_autograph and by_autograph else "true")
