"""Utterances → cached features → batches of few shapes."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np
import tensorflow as tf

from graphdoctor import batching
from workloads.speech.audio import SILENCE, MelCodec
from workloads.speech.config import Config
from workloads.speech.corpus import Utterance, list_utterances, sound_of
from workloads.speech.errors import SpeechError
from workloads.speech.folders import make_folder
from workloads.speech.text import encode
from workloads.speech.voice import choose_voice

LAYOUT = batching.Layout(("text", "mel"), padding={"mel": SILENCE})
POOL_BATCHES = 8
FEATURES = 2  # raise it when the same sound gives other features, so that old caches are not read


@dataclass(frozen=True)
class Feature:
    """An utterance as the model sees it."""

    sentence: str
    text: np.ndarray  # [text]
    mel: np.ndarray  # [frames, mels]


@dataclass(frozen=True)
class Batches:
    """What one part of the data (training, validation) gives to the steps."""

    dataset: tf.data.Dataset
    examples: int
    notes: tuple[str, ...]  # what was dropped or cut


def load_features(config: Config) -> list[Feature]:
    """The features of every utterance, computed once and then read from the cache."""
    utterances = list_utterances(config.data)
    codec = MelCodec(config.audio)
    folder = make_folder(config.data.cache, "data.cache")
    return [_feature(utterance, config, codec, folder) for utterance in utterances]


def split(features: list[Feature], config: Config) -> tuple[list[Feature], list[Feature]]:
    """Training and validation features, by a shuffle that the seed decides."""
    order = np.random.default_rng(config.training.seed).permutation(len(features))
    kept = max(1, round(config.data.validation_share * len(features)))
    if kept >= len(features):
        raise SpeechError(
            f"data.validation_share {config.data.validation_share} leaves none of the {len(features)}"
            " utterances to train on"
        )
    return [features[i] for i in order[kept:]], [features[i] for i in order[:kept]]


def make_batches(
    features: list[Feature],
    strategy: batching.Strategy,
    config: Config,
    *,
    training: bool,
    replicas: int = 1,
) -> Batches:
    """Batches without end in a new order every epoch, or each validation example once."""
    data = config.data
    rows = [{"text": feature.text, "mel": feature.mel} for feature in features]
    seed = config.training.seed if training else None
    try:
        examples = batching.Examples(rows, LAYOUT, seed=seed)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", batching.OverlongWarning)
            dataset = batching.make_dataset(
                examples,
                strategy,
                batch_size=data.batch_size * replicas,
                epochs=None if training else 1,
                remainder="fill",
                overlong="drop" if data.overlong == "extend" else data.overlong,
                seed=config.training.seed,
            )
    except batching.BatchingError as error:
        raise SpeechError(f"{'training' if training else 'validation'} data: {error}") from None
    if training and data.batch_size * replicas > len(features):
        raise SpeechError(
            f"A batch of {data.batch_size * replicas} is larger than the {len(features)} training"
            " examples: lower data.batch_size or bring more sentences"
        )
    return Batches(dataset, len(features), tuple(str(one.message) for one in caught))


def choose_strategy(features: list[Feature], config: Config) -> batching.Strategy:
    """The strategy that the settings ask for, planned on training and validation together."""
    data = config.data
    lengths = batching.LengthHistogram(axes=2)
    lengths.update((len(feature.text), len(feature.mel)) for feature in features)
    limit = (data.max_text_length, data.max_mel_frames)
    if data.overlong == "extend":
        limit = tuple(map(max, limit, lengths.maxima))
    if data.pad_to_fixed_length:
        return batching.Fixed(limit)
    if data.strategy == "buckets":
        epochs = -(-config.training.steps * data.batch_size // lengths.total)
        try:
            plan = batching.plan_buckets(
                lengths,
                buckets=data.buckets,
                limit=limit,
                overlong="drop" if data.overlong == "error" else data.overlong,
                batch_size=data.batch_size,
                epochs=epochs,
            )
        except batching.BatchingError as error:
            raise SpeechError(str(error)) from None
        return batching.Buckets.of(plan)
    pool = POOL_BATCHES if data.strategy == "sorted_pools" else 1
    return batching.SortedPools(pool, limit=limit)


def _feature(utterance: Utterance, config: Config, codec: MelCodec, folder: Path) -> Feature:
    text = np.array(encode(utterance.text), np.int32)  # [text]
    path = folder / f"{_key(utterance, config)}.npy"
    if path.exists():
        mel = np.load(path)
    else:
        mel = codec.encode(sound_of(utterance, config.data, config.audio))  # [frames, mels]
        np.save(path, mel)
    if len(mel) < len(text):
        raise SpeechError(
            f"{utterance.wav or 'The sound'} has {len(mel)} frames for {len(text)} symbols:"
            f" every symbol of {utterance.text!r} needs a frame"
        )
    return Feature(utterance.text, text, mel)


def _key(utterance: Utterance, config: Config) -> str:
    """What a cached mel depends on, hashed."""
    if utterance.wav:
        status = utterance.wav.stat()
        origin: list[object] = [str(utterance.wav), status.st_size, status.st_mtime_ns]
    else:
        voice = choose_voice(config.data)
        origin = [utterance.text, voice, config.data.words_per_minute]
    return hashlib.sha256(msgspec.json.encode([FEATURES, origin, config.audio])).hexdigest()[:24]
