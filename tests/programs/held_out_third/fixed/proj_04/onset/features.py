"""Framing, band energies and frame-wise targets, all inside the input pipeline."""
import tensorflow as tf


def frame_count(wave, audio):
    samples = tf.shape(wave)[0]
    return (samples + audio.hop - 1) // audio.hop


def band_flux(wave, audio):
    spec = tf.abs(tf.signal.stft(wave, audio.win, audio.hop, pad_end=True))
    mel = tf.signal.linear_to_mel_weight_matrix(
        audio.bands, spec.shape[-1], audio.rate, 50.0, audio.rate / 2)
    energy = tf.math.log(tf.matmul(spec, mel) + 1e-3)
    return tf.nn.relu(energy - tf.pad(energy, [[1, 0], [0, 0]])[:-1])


def targets(wave, onsets, audio):
    frames = frame_count(wave, audio)
    hits = tf.one_hot(onsets // audio.hop, frames)
    return tf.reduce_max(hits, axis=0)


def example(wave, onsets, audio):
    return band_flux(wave, audio), targets(wave, onsets, audio)
