"""Fills the tables of library behaviour: importing this registers every model."""

from graphdoctor.dryrun.models import (  # noqa: F401
    arrays,
    containers,
    contexts,
    data,
    distribution,
    keras_calls,
    keras_objects,
    keras_training,
    objects,
    optimizers,
    python,
    standard,
    tapes,
    tensorflow,
    tensors,
    unknowns,
)
