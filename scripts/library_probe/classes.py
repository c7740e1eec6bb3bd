"""Classes of Keras: made with sample arguments, called, and their weights counted."""

import inspect

import keras
import tensorflow as tf

from library_probe.calls import make
from library_probe.samples import IMAGES, INTEGER, SEQUENCES, TEXT, VOLUMES, Tensor, Tensors
from library_probe.templates import likeliest_first, signature_of

LARGEST_SEARCH = 60
FLOAT = Tensor()
# Required parameters of constructors, by name.
MADE_WITH: dict[str, tuple[object, ...]] = {
    "units": (4,), "activation": ("relu",),
    "filters": (2,), "kernel_size": (2,), "input_dim": (8,), "output_dim": (4,),
    "rate": (0.5,), "num_heads": (2,), "key_dim": (4,), "head_dim": (4,), "num_query_heads": (2,),
    "num_key_value_heads": (2,), "pool_size": (2,), "size": (2,), "target_shape": ((3, 1),),
    "dims": ((1,), (2, 1)), "n": (2,), "height": (4,), "width": (4,), "factor": (0.1,),
    "equation": ("ab,bc->ac",), "output_shape": (4,), "num_tokens": (4,), "num_bins": (4,),
    "scale": (2.0,), "stddev": (0.1,), "axes": (-1,), "axis": (-1,), "output_size": (2,),
    "num_classes": (2,), "target_class_ids": ((0,),), "specificity": (0.5,), "sensitivity": (0.5,),
    "precision": (0.5,), "recall": (0.5,), "intermediate_dim": (4,), "value_range": ((0, 1),),
    "max_value": (1.0,),
}  # fmt: skip
OBJECTS = {
    "layer": (lambda: keras.layers.Dense(3), lambda: keras.layers.LSTM(3, return_sequences=True)),
    "cell": (lambda: keras.layers.LSTMCell(4),),
    "cells": (lambda: [keras.layers.LSTMCell(4)],),
    "function": (lambda: tf.square,),
    "fn": (lambda: keras.losses.mean_squared_error,),
    "inner_optimizer": (lambda: keras.optimizers.Adam(),),
}
GENERIC = (2, 0.5, "name")
CALLED_WITH = (
    FLOAT, SEQUENCES, IMAGES, VOLUMES, INTEGER, Tensors((FLOAT, FLOAT)), Tensors((SEQUENCES, SEQUENCES)),
    TEXT, Tensor((1, 4, 4, 4, 3)), Tensor((2, 3, 4, 4, 3)), Tensor((1, 2, 4, 4, 4, 3)),
)  # fmt: skip


def instance_of(kind: type) -> object | None:
    """An object of the class, made with the first arguments that it accepts."""
    signature = signature_of(kind)
    if signature is None:
        return None
    required = [
        parameter
        for parameter in signature.parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
    ]
    candidates = [OBJECTS.get(p.name) or MADE_WITH.get(p.name) or GENERIC for p in required]
    for number, values in enumerate(likeliest_first(candidates)):
        if number == LARGEST_SEARCH:
            break
        try:
            return kind(**{p.name: v() if callable(v) else v for p, v in zip(required, values, strict=True)})
        except Exception:
            continue
    return None


def weights_facts(kind: type) -> dict[str, object]:
    """When the class has weights ("made", "built" or never), and which kinds of state."""
    made = instance_of(kind)
    if isinstance(made, (keras.Metric, keras.Optimizer)):
        return {"weights": "made"} if made.variables else {}
    if not isinstance(made, keras.layers.Layer):
        return {}
    early = len(made.weights)
    made, call = called(kind, made)
    never = "none" if call is not None else None
    facts: dict[str, object] = {"weights": "made" if early else "built" if made.weights else never}
    facts["state"] = any(not weight.trainable for weight in made.weights) or None
    facts["random"] = len(made.variables) > len(made.weights) or None
    if call is not None:
        facts["inputs"] = call
    return {key: value for key, value in facts.items() if value is not None}


def called(kind: type, layer):
    """A layer after a call that worked, and its inputs: "2" axes, "4" axes, "list"; or the layer and None."""
    names = [name for name in inspect.signature(layer.call).parameters if name in ("query", "value", "key")]
    for sample in CALLED_WITH:
        value, fresh = make(sample, "tensorflow"), instance_of(kind)
        try:
            if names:
                fresh(**dict.fromkeys(names, value))
            elif "states" in inspect.signature(layer.call).parameters:
                fresh(value, fresh.get_initial_state(batch_size=2))
            else:
                fresh(value)
        except Exception:
            continue
        return fresh, "list" if isinstance(sample, Tensors) else str(len(sample.shape))
    return layer, None
