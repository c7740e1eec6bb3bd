"""Measurements built by hand, for tests of what follows from them."""

from graphdoctor.diagnosis.measurements import Leaf, Phase, Step


def make_step(mel=80, seconds=0.1, tracing=0.0, finite=True, extra=(), text=None, vectors=None):
    """A step on four rows of `mel` frames; a trace comes on top of its seconds."""
    leaves = [Leaf('batch["mel"]', "float32", (4, mel, 16)), *extra]
    if text is not None:
        leaves.append(Leaf('batch["text"]', "int32", (4, text)))
    return Step(seconds + tracing, 1 if tracing else 0, tracing, finite, tuple(leaves), vectors or {})


def make_phase(*steps, name="train", **settings):
    """A phase of these steps."""
    return Phase(name, steps, **settings)
