"""Every private name of TensorFlow and Keras by which steps are heard of."""

import functools
import time
from collections.abc import Callable
from typing import Any

from graphdoctor.observer.instrumentation.replacing import replaced

CALLBACK_LISTS = ("keras.src.callbacks.callback_list", "tf_keras.src.callbacks")


def hook_tapes(heard: Callable[[], None]) -> None:
    """Hear of each gradient that a tape is asked for."""
    from tensorflow.python.eager import backprop

    _announce(backprop.GradientTape, "gradient", lambda *_: heard())


def hook_graph_functions(heard: Callable[[Any, float], None]) -> None:
    """Hear of each call of a graph function: its Python function, and how long it took."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function
    from tensorflow.python.util import tf_decorator

    kind = polymorphic_function.Function
    call = kind.__call__

    @functools.wraps(call)
    def announced(self: Any, *args: Any, **named: Any) -> Any:
        begun = time.perf_counter()
        result = call(self, *args, **named)
        heard(tf_decorator.unwrap(self._python_function)[1], time.perf_counter() - begun)
        return result

    replaced(kind, "__call__", announced)


def hook_batches(
    module: Any, begun: Callable[[], None], epoch: Callable[[], None], done: Callable[[int], None]
) -> None:
    """Hear of the begin of `fit` and of its epochs, and of how many batches are done, after the callbacks."""
    kind = module.CallbackList
    _announce(kind, "on_train_begin", lambda *_: begun())
    _announce(kind, "on_epoch_begin", lambda *_: epoch())
    end, epoch_end = kind.on_train_batch_end, kind.on_epoch_end
    epochs = [0, 0]  # batches of earlier epochs, and of this one

    @functools.wraps(end)
    def on_train_batch_end(self: Any, batch: int, *args: Any, **named: Any) -> Any:
        result = end(self, batch, *args, **named)
        epochs[1] = int(batch) + 1
        done(epochs[0] + epochs[1])
        return result

    @functools.wraps(epoch_end)
    def on_epoch_end(self: Any, *args: Any, **named: Any) -> Any:
        result = epoch_end(self, *args, **named)
        epochs[:] = [epochs[0] + epochs[1], 0]
        return result

    replaced(kind, "on_train_batch_end", on_train_batch_end)
    replaced(kind, "on_epoch_end", on_epoch_end)


def _announce(kind: Any, name: str, heard: Callable[..., None]) -> None:
    original = getattr(kind, name)

    @functools.wraps(original)
    def announced(self: Any, *args: Any, **named: Any) -> Any:
        heard(*args)
        return original(self, *args, **named)

    replaced(kind, name, announced)
