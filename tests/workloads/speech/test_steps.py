"""Steps: traced as often as promised, indifferent to padding, and the same wherever they run."""

import numpy as np
import pytest

from graphdoctor import batching

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


@pytest.fixture
def make(tiny):
    from workloads.speech.train import build_trainer

    return lambda **changes: build_trainer(tiny(**changes))


@pytest.fixture(scope="module")
def trainer(tiny):
    """As it comes, for tests that do not change its weights."""
    from workloads.speech.train import build_trainer

    return build_trainer(tiny())


def weights(trainer):
    return np.concatenate([np.ravel(one.numpy()) for one in trainer.steps.model.trainable_variables])


def test_padding_and_filled_rows_change_nothing(trainer):
    import tensorflow as tf

    batch = next(trainer.batches())
    rows = {
        "text": [[0, 2], [0, 9]],
        "text_mask": [[0, 2], [0, 9]],
        "mel": [[0, 2], [0, 7], [0, 0]],
        "mel_mask": [[0, 2], [0, 7]],
    }
    longer = {name: tf.pad(one, rows.get(name, [[0, 2]])) for name, one in batch.items()}

    plain, padded = trainer.steps._validate(batch), trainer.steps._validate(longer)

    for name in plain:
        assert np.allclose(plain[name], padded[name], rtol=2e-4)


def test_two_accumulated_batches_equal_their_mean_gradient(make):
    once, twice = make(), make(accumulate=2)
    batch = next(once.batches())
    assert np.array_equal(weights(once), weights(twice))

    once.train_step(batch)
    for _ in range(2):
        twice.accumulate_step(batch)
    twice.steps.apply()

    assert np.allclose(weights(once), weights(twice), atol=1e-6)
    assert all(not np.any(total.numpy()) for total in twice.steps.gradients)


def test_eager_graph_and_xla_agree(make):
    losses = {}
    for name, changes in {
        "eager": {"enable_graph_mode": False},
        "graph": {},
        "xla": {"enable_xla_compilation": True},
    }.items():
        trainer = make(**changes)
        batches = trainer.batches()
        losses[name] = [trainer.update(batches)["loss"] for _ in range(2)]

    assert losses["eager"] == pytest.approx(losses["graph"], rel=1e-3)
    assert losses["xla"] == pytest.approx(losses["graph"], rel=1e-3)


def test_without_padding_and_signature_every_shape_is_traced(make):
    trainer = make(pad_to_fixed_length=False, strategy="batch_longest", input_signature=False, sentences=6)
    batches = trainer.batches()
    shapes = set()
    for _ in range(3):
        batch = next(batches)
        shapes.add((batch["text"].shape[1], batch["mel"].shape[1]))
        trainer.validation_step(batch)

    assert trainer.validation_step.experimental_get_tracing_count() == len(shapes) > 1


def test_the_signature_names_every_input(trainer):
    (spec,) = batching.signature(trainer._dataset)

    assert {name: tuple(one.shape) for name, one in spec.items()} == {
        "text": (4, 40),
        "text_length": (4,),
        "text_mask": (4, 40),
        "mel": (4, 80, 16),
        "mel_length": (4,),
        "mel_mask": (4, 80),
        "row_mask": (4,),
    }
