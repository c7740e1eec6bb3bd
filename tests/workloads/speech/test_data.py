"""Features are cached, batches have the promised shapes, and nothing is lost in silence."""

import numpy as np
import pytest

from workloads.speech.errors import SpeechError

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


def shapes_of(config):
    from workloads.speech.data import choose_strategy, load_features, make_batches, split

    features = load_features(config)
    training, _ = split(features, config)
    batches = make_batches(training, choose_strategy(features, config), config, training=True)
    taken = list(batches.dataset.take(24).as_numpy_iterator())
    return batches, [batch["mel"].shape[1] for batch in taken]


def test_fixed_padding_gives_one_shape(tiny):
    _, frames = shapes_of(tiny())

    assert set(frames) == {80}


def test_buckets_give_as_many_shapes_as_asked_for(tiny):
    _, frames = shapes_of(tiny(pad_to_fixed_length=False, strategy="buckets", buckets=3))

    assert len(set(frames)) == 3


@pytest.mark.parametrize("strategy", ["sorted_pools", "batch_longest"])
def test_other_strategies_give_many_shapes(tiny, strategy):
    _, frames = shapes_of(tiny(pad_to_fixed_length=False, strategy=strategy))

    assert len(set(frames)) > 3


def test_what_is_too_long_is_noted(tiny):
    batches, _ = shapes_of(tiny(max_mel_frames=60, overlong="drop"))

    assert len(batches.notes) == 1
    assert batches.notes[0].endswith("and are dropped")


def test_a_longer_shape_is_made_where_that_is_asked_for(tiny):
    batches, frames = shapes_of(tiny(max_mel_frames=60, overlong="extend"))

    assert batches.notes == ()
    assert frames[0] > 60


def test_features_come_from_the_cache_the_second_time(tiny, tmp_path, monkeypatch):
    from workloads.speech import data

    config = tiny(cache=str(tmp_path), sentences=3)
    first = data.load_features(config)
    monkeypatch.setattr(data, "sound_of", None)

    second = data.load_features(config)

    assert all(np.array_equal(a.mel, b.mel) for a, b in zip(first, second, strict=True))


def test_other_audio_settings_do_not_hit_the_cache(tiny, tmp_path):
    from workloads.speech.data import load_features

    few = load_features(tiny(cache=str(tmp_path), sentences=2))
    more = load_features(tiny(cache=str(tmp_path), sentences=2, mel_bins=20))

    assert (few[0].mel.shape[1], more[0].mel.shape[1]) == (16, 20)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"batch_size": 50},
            "A batch of 50 is larger than the 14 training examples:"
            " lower data.batch_size or bring more sentences",
        ),
        (
            {"max_mel_frames": 5, "overlong": "error"},
            "training data: 14 of 14 examples (100.0 %) exceed 40 x 5 (longest",
        ),
        (
            {"max_mel_frames": 5},
            "training data: 14 of 14 examples (100.0 %) exceed 40 x 5 (longest",
        ),
        (
            {"pad_to_fixed_length": False, "strategy": "buckets", "buckets": 99},
            "99 buckets were asked for, but there are only",
        ),
        (
            {"validation_share": 0.99},
            "data.validation_share 0.99 leaves none of the 16 utterances to train on",
        ),
        ({"words_per_minute": 450, "hop": 1024}, "The sound has "),
    ],
)
def test_bad_input_is_reported_before_training(tiny, changes, message):
    with pytest.raises(SpeechError) as caught:
        shapes_of(tiny(**changes))

    assert str(caught.value)[: len(message)] == message
