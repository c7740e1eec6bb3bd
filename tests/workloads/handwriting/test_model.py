"""One network, the same numbers in every way that TensorFlow and Keras run it."""

import keras
import numpy as np
import pytest
import tensorflow as tf

from workloads.handwriting.alphabet import SIZE, encode
from workloads.handwriting.config import ARCHITECTURES, ModelConfig
from workloads.handwriting.loss import MixtureLoss
from workloads.handwriting.model import Handwriting, one_hot_text
from workloads.settings import SettingsError, convert

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]
LAYERS = 2


def make_model(architecture, layers=LAYERS, **options):
    keras.utils.set_random_seed(7)
    size = {"hidden": 5, "layers": layers, "mixtures": 2, "components": 2}
    sees_height = architecture == "graves"  # so that both are in the tests, each with one of them
    config = ModelConfig(architecture, points_per_character=2.0, sees_height=sees_height, **size)
    return Handwriting(config, **options)


@pytest.fixture(params=ARCHITECTURES)
def model(request):
    return make_model(request.param)


def close(left, right, tolerance=1e-5):
    np.testing.assert_allclose(left, right, rtol=tolerance, atol=tolerance)


def test_function_gives_the_eager_numbers(model, batch):
    close(tf.function(model.call)(batch), model(batch))


def test_xla_gives_the_eager_numbers(model, batch):
    close(tf.function(model.call, jit_compile=True)(batch), model(batch))


@pytest.mark.parametrize("jit_compile", [False, True])
def test_one_trace_serves_all_batch_sizes_and_lengths(model, batch, jit_compile):
    signature = {
        "points": tf.TensorSpec([None, None, 3], tf.float32),
        "text": tf.TensorSpec([None, None], tf.int32),
    }
    traces = []

    @tf.function(input_signature=[signature], jit_compile=jit_compile)
    def run(inputs):
        traces.append(1)
        return model(inputs)

    shorter = {"points": batch["points"][:2, :4], "text": batch["text"][:2, :3]}
    for inputs in (batch, shorter):
        close(run(inputs), model(inputs))
    assert len(traces) == 1


def test_gradients_are_the_same_eager_in_a_graph_and_under_xla(model, batch):
    def gradients():
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(MixtureLoss()(batch["points"], model(batch)))
        return tape.gradient(loss, model.trainable_variables)

    eager = gradients()
    assert all(gradient is not None for gradient in eager)
    for mode in (tf.function(gradients), tf.function(gradients, jit_compile=True)):
        for one, other in zip(mode(), eager, strict=True):
            close(one, other)


@pytest.mark.parametrize(
    ("architecture", "jit_compile"), [("graves", False), ("graves", True), ("parallel", False)]
)
def test_fit_takes_the_step_that_eager_code_takes(architecture, batch, jit_compile):
    def compiled(**options):
        copy = make_model(architecture, layers={"graves": 1, "parallel": 2}[architecture])
        copy.compile(keras.optimizers.SGD(0.1), MixtureLoss(), **options)
        mask = np.ones(batch["points"].shape[:2], np.float32)
        mask[2, 5:] = 0
        history = copy.fit(batch, batch["points"], 3, sample_weight=mask, verbose=0, epochs=2)
        return history.history["loss"], copy.get_weights()

    eager_losses, eager_weights = compiled(run_eagerly=True, jit_compile=False)
    losses, weights = compiled(jit_compile=jit_compile)
    close(losses, eager_losses)
    for one, other in zip(weights, eager_weights, strict=True):
        close(one, other)


# Keras 3.15 converts its variables in a way that NumPy 2 warns of.
@pytest.mark.filterwarnings("ignore:__array__ implementation:DeprecationWarning")
def test_keras_file_gives_the_same_model(model, batch, tmp_path):
    model.save(tmp_path / "model.keras")
    loaded = keras.saving.load_model(tmp_path / "model.keras")
    assert loaded.config == model.config
    close(loaded(batch), model(batch), 0)


def test_saved_model_gives_the_same_numbers_for_any_shape(model, batch, tmp_path):
    signature = {
        "points": tf.TensorSpec([None, None, 3], tf.float32),
        "text": tf.TensorSpec([None, None], tf.int32),
    }
    model.export(str(tmp_path / "saved"), input_signature=[signature], verbose=False)
    loaded = tf.saved_model.load(str(tmp_path / "saved"))
    shorter = {"points": batch["points"][:1, :3], "text": batch["text"][:1]}
    for inputs in (batch, shorter):
        tensors = {name: tf.constant(value) for name, value in inputs.items()}
        close(loaded.serve(tensors), model(inputs))


# Measured on these sizes: bfloat16 keeps 8 bits of a number, float16 keeps 11.
@pytest.mark.parametrize(("policy", "tolerance"), [("mixed_bfloat16", 0.03), ("mixed_float16", 4e-3)])
def test_mixed_precision_stays_within_its_tolerance(model, batch, policy, tolerance):
    mixed = make_model(model.config.architecture, dtype=policy)
    mixed.set_weights(model.get_weights())
    reading, expected = mixed.read(batch), model.read(batch)
    close(tf.cast(reading.parameters, tf.float32), expected.parameters, tolerance)
    assert reading.position.dtype == tf.float32  # a bfloat16 cannot tell character 65 from 65.4
    close(reading.position, expected.position, tolerance)
    with tf.GradientTape() as tape:
        loss = MixtureLoss()(batch["points"], mixed(batch))
    for gradient in tape.gradient(loss, mixed.trainable_variables):
        assert np.isfinite(gradient.numpy()).all()


def test_steps_of_the_sampler_give_the_numbers_of_the_whole_sequence(model, batch):
    text = one_hot_text(batch["text"], tf.float32)
    state = model.initial_state(text)
    steps = []
    for time in range(batch["points"].shape[1]):
        parameters, state = model.step(batch["points"][:, time], state, text)
        steps.append(parameters)
    reading = model.read(batch)
    close(tf.stack(steps, axis=1), reading.parameters)
    close(state.window.position, reading.position[:, -1])


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_only_a_network_that_sees_the_height_knows_where_its_start_was(architecture, batch):
    model = make_model(architecture, layers=1)
    model.first.recurrent.assign(tf.zeros_like(model.first.recurrent))
    model.first.bias.assign(np.repeat([0.0, -60.0, 0.0, 0.0], 5))  # the forget gates shut: no memory
    higher = np.array(batch["points"])
    higher[:, 0, 1] += 3.0
    last, other_last = (model({**batch, "points": points})[:, -1] for points in (batch["points"], higher))
    assert np.allclose(last, other_last, atol=1e-6) != model.config.sees_height


def test_text_tells_the_hand_at_every_character():
    one_hot = one_hot_text(np.array([encode("ab"), encode("ab", hand=2)]), tf.float32).numpy()
    np.testing.assert_array_equal(one_hot[0, :, :SIZE], one_hot[1, :, :SIZE])
    assert one_hot[0].argmax(axis=-1).tolist() == [*(encode("ab") - 1)]
    np.testing.assert_array_equal(one_hot[0, :, SIZE:], np.zeros((3, 3)))
    np.testing.assert_array_equal(one_hot[1, :, SIZE:], [[0, 1, 0]] * 3)


def test_padded_text_is_never_read(model, batch):
    longer = {**batch, "text": np.pad(batch["text"], [(0, 0), (0, 4)])}
    close(model(longer), model(batch))


def test_window_starts_at_the_pace_of_the_data(model, batch):
    advance = np.exp(model.first.window_bias.numpy()[-model.config.components :])
    close(advance, np.full(2, 0.5))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"architecture": "grave"}, "config: Invalid enum value 'grave' - at `$.architecture`"),
        ({"hidden": 0}, "config: Expected `int` >= 1 - at `$.hidden`"),
        ({"hiden": 8}, "config: Object contains unknown field `hiden`"),
    ],
)
def test_impossible_settings_are_refused(settings, message):
    with pytest.raises(SettingsError) as error:
        convert(ModelConfig, settings)
    assert str(error.value) == message
