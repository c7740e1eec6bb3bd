"""The reasons for which a function is not converted, each with its remedy: a table of data.

The rule that explains a reason names its key (`Rule.reasons`).
"""

from graphdoctor.autograph.facts import Reason
from graphdoctor.recording import unconverted

_SAID: dict[str, Reason] = {}


def _said(key: str, remedy: str) -> Reason:
    """A reason that AutoGraph itself names when it gives up."""
    return _SAID.setdefault(key, Reason(key, unconverted.MEANINGS[key], remedy))


FOR_ELSE = _said("for-else", "replace the `else` by a flag that the loop sets")
WHILE_ELSE = _said("while-else", "replace the `else` by a flag that the loop sets")
MANGLED_NAME = _said("mangled-name", "use one underscore: `self._name`")
GENERATOR = _said("generator", "collect the values in a list or TensorArray, or make it a tf.data.Dataset")
WALRUS = _said("walrus", "assign in a statement of its own before the condition")
MATCH = Reason(
    "match",
    "it holds a `match` statement, which AutoGraph cannot convert",
    "write `if … elif … else`",
)
COROUTINE = _said("async", "make it a plain `def`")
LAMBDAS_ON_A_LINE = _said("lambdas-on-a-line", "give each lambda a line of its own, or a `def`")
NO_SOURCE = _said("no-source", "put it into a file")
DYNAMIC_CODE = Reason(
    "dynamic-code",
    "it was made by `exec` or `eval`, and has no source",
    "put it into a file",
)
TABS_AND_SPACES = _said("tabs-and-spaces", "indent with spaces only")
AUTOGRAPH_OFF = Reason(
    "autograph-off",
    "its `tf.function` was made with `autograph=False`",
    "remove `autograph=False`, or write tf.cond and tf.while_loop",
)
SWITCHED_OFF = Reason(
    "switched-off",
    "something around it switched AutoGraph off (`autograph=False` or `do_not_convert`)",
    "put `@tf.function` on it, or remove what switches AutoGraph off",
)
DO_NOT_CONVERT = Reason(
    "do-not-convert",
    "it carries `tf.autograph.experimental.do_not_convert`",
    "remove the decorator where tensors decide the control flow",
)
VECTORIZED_MAP = Reason(
    "vectorized-map",
    "it is reached through `tf.vectorized_map`, which does not convert",
    "put `@tf.function` on it, or use `tf.map_fn`",
)
CUSTOM_GRADIENT = Reason(
    "custom-gradient",
    "it is reached through `tf.custom_gradient`, which does not convert",
    "move the control flow to a function with `@tf.function`",
)
RECOMPUTE_GRADIENT = Reason(
    "recompute-gradient",
    "it is reached through `tf.recompute_grad`, which does not convert",
    "put `@tf.function` on it",
)
KERAS_CALL = Reason(
    "keras-call",
    "it is reached through Keras 3, which does not convert user code",
    "put `@tf.function` on it, or use keras.ops.cond and keras.ops.while_loop",
)
KERAS_STEP = Reason(
    "keras-step",
    "it is a step that Keras 3 calls in `fit`, `evaluate` or `predict`, with AutoGraph switched off",
    "move the control flow to a function with `@tf.function`",
)
KERAS_OTHER = Reason(
    "keras-other",
    "it is reached through a Keras 3 loss, metric or Lambda layer, which does not convert user code",
    "put `@tf.function` on it, or use keras.ops.cond and keras.ops.while_loop",
)
KERAS_HELPER = Reason(
    "keras-helper",
    "it is called from code that Keras 3 reached without converting it",
    "put `@tf.function` on it",
)
PY_FUNCTION = Reason(
    "py-function",
    "it was handed to `tf.py_function` or `tf.numpy_function`: it runs in Python at each call",
    "write it with TensorFlow operations where speed, saving or XLA matters",
)
CACHED = Reason(
    "lru-cache",
    "it is wrapped by `functools.lru_cache`, which AutoGraph does not look into",
    "put the cache around something that makes no tensor",
)
WRAPT = Reason(
    "wrapt",
    "it is decorated with `wrapt`, which AutoGraph does not look into",
    "apply `@tf.function` beneath the wrapt decorator",
)
CONSTRUCTOR = Reason(
    "constructor",
    "it is a constructor; AutoGraph never converts these",
    "keep control flow on tensors out of `__init__`",
)
TEST_CASE = Reason(
    "test-case",
    "it is a method of a `unittest.TestCase`; AutoGraph never converts these",
    "move it to a function of its own",
)
UNCONVERTED_CALLER = Reason(
    "unconverted-caller",
    "its caller was not converted, and runs it as plain Python",
    "fix its caller, or put `@tf.function` on it",
)
OTHER = Reason("other", "AutoGraph gave up", "set `--verbosity 3` and read AutoGraph's own log")

# What AutoGraph says when it gives up, in part → what it means.
BY_MESSAGE = tuple((part, _SAID[key]) for part, key, _ in unconverted.BY_MESSAGE)
