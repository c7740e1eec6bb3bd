"""Hears objects of TensorFlow and Keras be made."""

import functools
from collections.abc import Callable, Iterator
from typing import Any

from graphdoctor.observer.instrumentation.replacing import replaced
from graphdoctor.observer.tensorflow_internals.disguising import disguise
from graphdoctor.observer.tensorflow_internals.functions import name_of

# What makes a pipeline of the data of one `fit`, `evaluate` or `predict`, in Keras 3 and in Keras 2.
READYING = {
    "keras.src.backend.tensorflow.trainer": "TFEpochIterator",
    "tf_keras.src.engine.data_adapter": "DataHandler",
}


def hook_construction(
    kind: Any, begin: Callable[[], Any], made: Callable[[Any, Any], None]
) -> Callable[[], None]:
    """Call `made(instance, begun)` after each construction of a class; `begun` is what `begin` gave."""
    construct = kind.__init__

    def constructed(self: Any, *arguments: Any, **options: Any) -> None:
        begun = begin()
        construct(self, *arguments, **options)
        made(self, begun)

    return replaced(kind, "__init__", functools.wraps(construct)(disguise(constructed, construct)))


def hook_first_variables(made: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Call `made(variable, None)` after each variable that is made while a function is traced first."""
    from tensorflow.python.eager.polymorphic_function import polymorphic_function

    return hook_construction(polymorphic_function.UnliftedInitializerVariable, lambda: None, made)


def hook_iterators(made: Callable[[Any, Any], None]) -> Callable[[], None]:
    """Call `made(iterator, None)` each time that somebody begins to go through a dataset."""
    from tensorflow.python.data.ops import iterator_ops

    return hook_construction(iterator_ops.OwnedIterator, lambda: None, made)


def functions_of_pipeline(iterator: Any) -> Iterator[str]:
    """The names of the graphs that a dataset's iterator runs."""
    waiting = [getattr(iterator, "_dataset", None)]
    while waiting:
        dataset = waiting.pop()
        if dataset is not None:
            waiting += dataset._inputs()
            yield from (name_of(wrapper.function) for wrapper in dataset._functions())
