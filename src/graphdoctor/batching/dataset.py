"""Examples → `tf.data` batches of few shapes; the only file here that needs TensorFlow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import tensorflow as tf

from graphdoctor.batching.admission import check_sizes, limits_of, report_overlong
from graphdoctor.batching.errors import BatchingError, require_positive
from graphdoctor.batching.histogram import LengthHistogram, Lengths
from graphdoctor.batching.layout import Layout
from graphdoctor.batching.plan import OverlongPolicy
from graphdoctor.batching.strategies import Buckets, Fixed, SortedPools, Strategy

Example = dict[str, Any]
ROW_MASK = "row_mask"


class Examples:
    """Examples held in memory, given out in a new order every epoch that seed and epoch decide.

    The order is a function of both, so a run that resumes at epoch 7 sees what the first run saw.
    """

    def __init__(
        self, examples: Iterable[Mapping[str, Any]], layout: Layout, *, seed: int | None = None
    ) -> None:
        rows = list(examples)
        if not rows:
            raise BatchingError("There are no examples: expected at least one")
        self.layout, self.seed = layout, seed
        self.count = len(rows)
        axes = layout.axes()
        self.lengths = LengthHistogram(len(layout.lengths))
        self.lengths.update(tuple(len(row[name]) for name in layout.lengths) for row in rows)
        self._whole = {name: tf.stack([row[name] for row in rows]) for name in rows[0] if name not in axes}
        self._pieces = {name: _concatenated([row[name] for row in rows]) for name in axes}

    def __call__(self, epoch: Any) -> tf.data.Dataset:
        """The examples of one epoch, whose number may be a tensor."""
        indices = tf.range(self.count, dtype=tf.int64)  # [examples]
        if self.seed is not None:
            seed = tf.stack([tf.constant(self.seed, tf.int64), tf.cast(epoch, tf.int64)])  # [2]
            indices = tf.argsort(tf.random.stateless_uniform([self.count], seed))  # [examples]
        return tf.data.Dataset.from_tensor_slices(indices).map(self._example)

    def _example(self, index: Any) -> Example:
        example = {name: values[index] for name, values in self._whole.items()}
        for name, (values, starts) in self._pieces.items():
            example[name] = values[starts[index] : starts[index + 1]]  # [length, …]
        return example


Source = Any  # tf.data.Dataset | Examples; mypy does not see TensorFlow


def make_dataset(
    source: Source,
    strategy: Strategy,
    layout: Layout | None = None,
    *,
    batch_size: int,
    epochs: int | None = 1,
    remainder: Literal["drop", "fill"] = "drop",
    overlong: OverlongPolicy = "error",
    shuffle_buffer: int = 0,
    seed: int | None = None,
    lengths: LengthHistogram | None = None,
    prefetch: int = 2,
) -> tf.data.Dataset:
    """Batches: the padded features, `<name>_length`, `<name>_mask`, and with `fill` a `row_mask`.

    With `Fixed` the `element_spec` is fully static. With `Buckets` each batch has one of the
    buckets' shapes; with `SortedPools` its own. All of them have a static batch size.

    Args:
        epochs: how often the examples are given out; `None` without end.
        remainder: a last incomplete batch is dropped, or filled up with rows that `row_mask`
            marks as false and whose lengths are zero.
        lengths: what `scan_lengths` gave, if at hand; otherwise a `tf.data` source is read once.
        shuffle_buffer: for a `tf.data` source; `Examples` have their own order.
    """
    require_positive("batch_size", batch_size)
    layout = _layout(source, layout)
    counted = lengths or (source.lengths if isinstance(source, Examples) else None)
    counted = counted or scan_lengths(source, layout)
    check_sizes(counted, batch_size, remainder)
    limits = limits_of(strategy)
    report_overlong(counted, limits, overlong, batch_size, remainder)
    pipeline = _Pipeline(layout, strategy, limits, batch_size, remainder, overlong, seed or 0)
    if isinstance(source, Examples):
        numbers = tf.data.Dataset.counter() if epochs is None else tf.data.Dataset.range(epochs)
        batches = numbers.flat_map(lambda epoch: pipeline.batches(source(epoch), epoch))
    else:
        if shuffle_buffer:
            source = source.shuffle(shuffle_buffer, seed=seed, reshuffle_each_iteration=True)
        batches = pipeline.batches(source, tf.constant(0, tf.int64)).repeat(epochs)
    return batches.prefetch(prefetch) if prefetch else batches


def scan_lengths(dataset: tf.data.Dataset, layout: Layout) -> LengthHistogram:
    """The lengths of a dataset's examples, read once in bounded memory."""
    histogram = LengthHistogram(len(layout.lengths))
    only_lengths = dataset.map(lambda example: _lengths(example, layout))
    return histogram.update(tuple(row.tolist()) for row in only_lengths.as_numpy_iterator())


def signature(dataset: tf.data.Dataset, *, unpack: bool = False) -> tuple[Any, ...]:
    """The `input_signature` of a step that takes its batches (`unpack`: as arguments)."""
    spec = dataset.element_spec
    return tuple(spec) if unpack and isinstance(spec, tuple) else (spec,)


def bucket_signatures(
    dataset: tf.data.Dataset, strategy: Fixed | Buckets, layout: Layout
) -> tuple[tuple[Any, ...], ...]:
    """One fully static signature per bucket, e.g. to trace them all before the first step."""
    axes = layout.axes()
    axes |= {f"{name}_mask": axis for axis, name in enumerate(layout.lengths)}

    def static(name: str, spec: Any, bound: Lengths) -> Any:
        if name not in axes:
            return spec
        shape = [spec.shape[0], bound[axes[name]], *spec.shape[2:]]  # [batch, length, …]
        return tf.TensorSpec(shape, spec.dtype)

    spec = dataset.element_spec
    return tuple(
        ({name: static(name, one, bound) for name, one in spec.items()},) for bound in strategy.bounds
    )


@dataclass(frozen=True)
class _Pipeline:
    """The stages between examples and batches."""

    layout: Layout
    strategy: Strategy
    limits: tuple[Lengths, ...]
    batch_size: int
    remainder: str
    overlong: str
    seed: int

    def batches(self, examples: tf.data.Dataset, epoch: Any) -> tf.data.Dataset:
        examples = self._within_limits(examples)
        if isinstance(self.strategy, Fixed):
            batched = self._fixed(examples, self.strategy.shape)
        elif isinstance(self.strategy, Buckets):
            batched = self._bucketed(examples, self.strategy.bounds)
        else:
            batched = self._pooled(examples, self.strategy, epoch)
        return batched.map(self._with_masks)

    def _within_limits(self, examples: tf.data.Dataset) -> tf.data.Dataset:
        if not self.limits or self.overlong in ("error", "extend"):
            return examples  # `report_overlong` made sure that all fit
        if self.overlong == "drop":
            return examples.filter(lambda example: tf.reduce_any(self._fitting(example)))
        return examples.map(self._cut)

    def _fitting(self, example: Example) -> Any:
        lengths = _lengths(example, self.layout)  # [axes]
        return tf.reduce_all(lengths <= tf.constant(self.limits), axis=1)  # [buckets]

    def _cut(self, example: Example) -> Example:
        whole = tf.reduce_any(self._fitting(example))
        most = tf.where(whole, tf.int32.max, tf.constant(self.limits[-1]))  # [axes]
        axes = self.layout.axes()
        return {name: value[: most[axes[name]]] if name in axes else value for name, value in example.items()}

    def _fixed(self, examples: tf.data.Dataset, shape: Lengths) -> tf.data.Dataset:
        padded = examples.map(lambda example: self._padded(example, shape, static=True))
        return self._batch(padded)

    def _bucketed(self, examples: tf.data.Dataset, bounds: tuple[Lengths, ...]) -> tf.data.Dataset:
        table = tf.constant(bounds)  # [buckets, axes]

        def bucket(example: Example) -> Any:
            return tf.argmax(tf.cast(self._fitting(example), tf.int32))  # the first that fits

        def one_window(key: Any, window: tf.data.Dataset) -> tf.data.Dataset:
            shape = tf.unstack(table[key])
            return self._batch(window.map(lambda example: self._padded(example, shape)))

        return examples.group_by_window(bucket, one_window, window_size=self.batch_size)

    def _pooled(self, examples: tf.data.Dataset, strategy: SortedPools, epoch: Any) -> tf.data.Dataset:
        examples = examples.map(self._with_lengths)
        pools = examples.padded_batch(
            self.batch_size * strategy.pool_batches, padding_values=self._padding(examples)
        )

        def one_pool(number: Any, pool: Example) -> tf.data.Dataset:
            seed = tf.stack([self.seed + epoch, number])  # [2]
            return self._sorted_batches(pool, strategy.multiple_of, seed)

        return pools.enumerate().flat_map(one_pool)

    def _sorted_batches(self, pool: Example, multiple: int, seed: Any) -> tf.data.Dataset:
        first = self.layout.lengths[-1]
        rows = tf.shape(pool[_length_of(first)])[0]
        if self.remainder == "fill":
            pool = self._filled(pool, -(-rows // self.batch_size) * self.batch_size)
        else:  # cut before sorting: otherwise it would always be the longest that are lost
            pool = {name: value[: rows - rows % self.batch_size] for name, value in pool.items()}
        order = self._pool_order(pool, seed)  # [batches, batch]
        batches = tf.data.Dataset.from_tensor_slices(order)
        return batches.map(lambda rows: self._trimmed(pool, rows, multiple))

    def _pool_order(self, pool: Example, seed: Any) -> Any:
        keys = pool[_length_of(self.layout.lengths[-1])]  # [rows]
        for name in self.layout.lengths[:-1]:  # ties in the main length are broken by the other
            other = tf.cast(pool[_length_of(name)], tf.int64)
            keys = tf.cast(keys, tf.int64) * (1 + tf.reduce_max(other)) + other  # [rows]
        order = tf.reshape(tf.argsort(keys, stable=True), [-1, self.batch_size])  # [batches, batch]
        shuffled = tf.argsort(tf.random.stateless_uniform([tf.shape(order)[0]], seed))  # [batches]
        return tf.gather(order, shuffled)  # [batches, batch]

    def _trimmed(self, pool: Example, rows: Any, multiple: int) -> Example:
        batch = {name: tf.gather(value, rows) for name, value in pool.items()}  # [batch, pool, …]
        longest = [tf.reduce_max(batch[_length_of(name)]) for name in self.layout.lengths]
        axes = self.layout.axes()
        for name, axis in axes.items():
            length = -(-longest[axis] // multiple) * multiple
            batch[name] = self._to_length(batch[name][:, :length], length, name, 1)
        return {name: self._static_batch(value) for name, value in batch.items()}

    def _padding(self, examples: tf.data.Dataset) -> Example:
        return {
            name: tf.constant(self._fill_value(name, spec.dtype), spec.dtype)
            for name, spec in examples.element_spec.items()
        }

    def _fill_value(self, name: str, dtype: Any) -> Any:
        if name in self.layout.padding:
            return self.layout.padding[name]
        return {tf.string: "", tf.bool: False}.get(dtype, 0)

    def _with_lengths(self, example: Example) -> Example:
        lengths = tf.unstack(_lengths(example, self.layout))
        own = {_length_of(name): value for name, value in zip(self.layout.lengths, lengths, strict=True)}
        return {**example, **own, ROW_MASK: tf.constant(True)}

    def _padded(self, example: Example, shape: Sequence[Any], static: bool = False) -> Example:
        axes = self.layout.axes()
        padded = self._with_lengths(example)
        for name, axis in axes.items():
            value = self._to_length(example[name], shape[axis], name, 0)  # [length, …]
            if static:
                value = tf.ensure_shape(value, [shape[axis], *value.shape[1:]])
            padded[name] = value
        return padded

    def _to_length(self, value: Any, length: Any, name: str, axis: int) -> Any:
        missing = length - tf.shape(value)[axis]
        paddings = [[0, 0]] * axis + [[0, missing]] + [[0, 0]] * (value.shape.rank - axis - 1)
        return tf.pad(value, paddings, constant_values=self._constant(name, value.dtype))

    def _constant(self, name: str, dtype: Any) -> Any:
        return tf.constant(self._fill_value(name, dtype), dtype)

    def _batch(self, examples: tf.data.Dataset) -> tf.data.Dataset:
        if self.remainder == "drop":
            return examples.batch(self.batch_size, drop_remainder=True)
        return examples.batch(self.batch_size).map(lambda batch: self._filled(batch, self.batch_size))

    def _filled(self, batch: Example, rows: Any) -> Example:
        missing = rows - tf.shape(batch[ROW_MASK])[0]
        filled = {}
        for name, value in batch.items():
            paddings = [[0, missing]] + [[0, 0]] * (value.shape.rank - 1)
            fill = self._constant(name, value.dtype)
            value = tf.pad(value, paddings, constant_values=fill)
            filled[name] = self._static_batch(value) if isinstance(rows, int) else value
        return filled

    def _static_batch(self, value: Any) -> Any:
        return tf.ensure_shape(value, [self.batch_size, *value.shape[1:]])

    def _with_masks(self, batch: Example) -> Example:
        masked = dict(batch)
        for name in self.layout.lengths:
            longest = batch[name].shape[1] or tf.shape(batch[name])[1]
            masked[f"{name}_mask"] = tf.sequence_mask(batch[_length_of(name)], longest)
        if self.remainder == "drop":
            del masked[ROW_MASK]
        return masked


def _length_of(name: str) -> str:
    return f"{name}_length"


def _lengths(example: Example, layout: Layout) -> Any:
    return tf.stack([tf.shape(example[name])[0] for name in layout.lengths])  # [axes]


def _concatenated(pieces: Sequence[Any]) -> tuple[Any, Any]:
    """All pieces end to end, and where each begins."""
    starts = tf.cumsum([0, *(len(piece) for piece in pieces)])  # [examples + 1]
    return tf.concat([tf.convert_to_tensor(piece) for piece in pieces], axis=0), starts


def _layout(source: Source, layout: Layout | None) -> Layout:
    if layout is None and not isinstance(source, Examples):
        raise BatchingError("A `tf.data` source needs a `layout` that names its lengths")
    chosen = layout or source.layout
    if not isinstance(source, Examples):
        spec = source.element_spec
        missing = [name for name in chosen.axes() if not isinstance(spec, dict) or name not in spec]
        if missing:
            raise BatchingError(f"The examples must be dicts with {missing[0]!r}, got {spec}")
    return chosen
