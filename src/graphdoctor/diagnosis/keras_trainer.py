"""A compiled Keras model, with a dataset, with arrays, with batches or alone → a trainer.

TensorFlow is imported where it is needed: this runs in the user's environment, where the model is.
"""

import itertools
from collections.abc import Iterator
from typing import Any

BATCH = 32
LENGTH = 16  # of a dimension that the model leaves open
MADE_UP = 4
MOST_LOOKED_AT = 10


class TrainerError(Exception):
    """The trainer cannot be built or run; the text is for the user."""


def is_keras_model(found: Any) -> bool:
    """Whether a value is a model of Keras 2 or 3."""
    return hasattr(found, "make_train_function") and hasattr(found, "compile")


def keras_trainer(target: str, model: Any, *data: Any) -> "KerasTrainer":
    """The trainer of `(model, dataset)`, `(model, dataset, validation)`, `(model, x, y)`, `(model,)`…"""
    if not getattr(model, "compiled", True):
        raise TrainerError(f"the Keras model of {target} is not compiled: call model.compile(…)")
    if not data or data[0] is None:
        return KerasTrainer(model, _made_up(target, model))
    if _is_array(data[0]):  # x, y and perhaps weights, as `fit` takes them
        return KerasTrainer(model, _batched(data if len(data) > 1 else data[0]))
    return KerasTrainer(model, *map(_dataset, data[:2]))


class KerasTrainer:
    """A compiled Keras model with its dataset, stepped exactly as `fit` steps it."""

    def __init__(self, model: Any, dataset: Any, validation: Any = None) -> None:
        self._model, self._dataset = model, dataset
        self.steps = MOST_LOOKED_AT
        self._iterators: dict[str, Iterator[Any]] = {}
        model.make_train_function()
        # The step of a model that was fitted before is traced already, and not traced again.
        self.in_graph = not getattr(model, "run_eagerly", False)
        if validation is not None:
            model.make_test_function()
            self.validation_batches = lambda: self._fresh("test", validation)
            self.validation_step = lambda batch: model.test_function(self._iterators["test"])

    def batches(self) -> Iterator[Any]:
        """The batches, for a look; `train_step` draws the same ones from an iterator of its own."""
        return self._fresh("train", self._dataset)

    def train_step(self, batch: Any) -> Any:
        """One step of `fit`."""
        return self._model.train_function(self._iterators["train"])

    def _fresh(self, name: str, dataset: Any) -> Iterator[Any]:
        # Looked at first: two iterators at once would make each other wait.
        looked_at = list(itertools.islice(iter(dataset), self.steps))
        self._iterators[name] = iter(dataset)
        return iter(looked_at)


def _dataset(data: Any) -> Any:
    """A dataset of anything that holds data: arrays are cut into batches, batches are taken as they are."""
    if data is None or hasattr(data, "element_spec"):
        return data
    if _is_array(data) or (isinstance(data, tuple | list) and data and all(map(_is_array, data))):
        return _batched(tuple(data) if isinstance(data, tuple | list) else data)
    return _of_batches(list(data))


def _is_array(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else (value,)
    return all(hasattr(one, "shape") and hasattr(one, "dtype") for one in parts) and bool(parts)


def _batched(arrays: Any) -> Any:
    import tensorflow as tf

    return tf.data.Dataset.from_tensor_slices(arrays).batch(BATCH)


def _of_batches(batches: list[Any]) -> Any:
    """A dataset of batches that may differ in size; lists of a batch are its parts, as tuples are."""
    import tensorflow as tf

    if not batches:
        raise TrainerError("the train batches are empty: expected at least one batch")
    held = [tf.nest.map_structure(tf.convert_to_tensor, _parts(batch)) for batch in batches]

    def general(*tensors: Any) -> Any:
        sizes = [{tensor.shape[axis] for tensor in tensors} for axis in range(tensors[0].shape.rank)]
        shape = [size.pop() if len(size) == 1 else None for size in sizes]
        return tf.TensorSpec(shape, tensors[0].dtype)

    return tf.data.Dataset.from_generator(
        lambda: iter(held), output_signature=tf.nest.map_structure(general, *held)
    )


def _parts(batch: Any) -> Any:
    return tuple(batch) if isinstance(batch, list) else batch


def _made_up(target: str, model: Any) -> Any:
    """Batches of zeros with the shapes that the model takes and gives, where no data came with it."""
    import tensorflow as tf

    if not getattr(model, "inputs", None) or not getattr(model, "outputs", None):
        raise TrainerError(
            f"the Keras model of {target} does not tell what it takes: give its data, as (model, dataset)"
        )
    x = [tf.zeros(_sizes(one), tf.as_dtype(one.dtype)) for one in model.inputs]
    y = [_target(model, one) for one in model.outputs]
    rows = (x[0] if len(x) == 1 else tuple(x), y[0] if len(y) == 1 else tuple(y))
    return tf.data.Dataset.from_tensors(rows).repeat(MADE_UP)


def _sizes(tensor: Any) -> list[int]:
    rows, *others = tensor.shape
    return [rows or BATCH, *(size or LENGTH for size in others)]


def _target(model: Any, output: Any) -> Any:
    import tensorflow as tf

    if "sparse" in str(getattr(model, "loss", "")).lower():
        return tf.zeros(_sizes(output)[:-1], tf.int32)
    return tf.zeros(_sizes(output), tf.float32)
