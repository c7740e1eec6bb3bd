"""Fills the tables of library behaviour: importing this registers every model."""

from graphdoctor.dryrun.models import (  # noqa: F401
    arrays,
    containers,
    contexts,
    data,
    graph_functions,
    introspection,
    keras_calls,
    keras_objects,
    keras_training,
    objects,
    optimizers,
    python,
    standard,
    strategies,
    tapes,
    tensorflow,
    tensors,
    unknowns,
)
