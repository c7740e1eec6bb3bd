"""Several replicas that together do exactly what one would do with the whole batch."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from workloads.speech.config import Config


def make_strategy(config: Config) -> tf.distribute.Strategy:
    """Where the steps run: here, on every local device, or on every worker of TF_CONFIG."""
    kind = config.training.distribute
    if kind == "mirrored":
        devices = tf.config.list_logical_devices("GPU") or tf.config.list_logical_devices("CPU")
        return tf.distribute.MirroredStrategy([device.name for device in devices])
    if kind == "multi_worker":
        return tf.distribute.MultiWorkerMirroredStrategy()
    return tf.distribute.get_strategy()


def distributed(dataset: tf.data.Dataset, strategy: tf.distribute.Strategy) -> Any:
    """The same batches, each cut into one piece per replica.

    Cut by hand: TensorFlow's own sharding would give every worker other epochs of our numbered ones.
    """
    replicas = strategy.num_replicas_in_sync
    if replicas == 1:
        return dataset

    def pieces_of(context: tf.distribute.InputContext) -> tf.data.Dataset:
        here = replicas // context.num_input_pipelines
        first = here * context.input_pipeline_id

        def cut(batch: dict[str, tf.Tensor]) -> tf.data.Dataset:
            pieces = {name: _in_pieces(value, replicas) for name, value in batch.items()}
            ours = {name: value[first : first + here] for name, value in pieces.items()}
            return tf.data.Dataset.from_tensor_slices(ours)

        return dataset.flat_map(cut)

    return strategy.distribute_datasets_from_function(pieces_of)


def _in_pieces(value: tf.Tensor, replicas: int) -> tf.Tensor:
    rows = value.shape[0] // replicas
    cut = tf.reshape(value, tf.concat([[replicas, rows], tf.shape(value)[1:]], 0))
    return tf.ensure_shape(cut, [replicas, rows, *value.shape[1:]])  # [replicas, rows, …]
