"""The shapes that layers and models of Keras give: what the dry run says, and what TensorFlow gives."""

import pytest
from tests.dryrun.test_interpreter import value_after
from tests.running import TensorFlowServer

HEAD = "import tensorflow as tf\nimport keras\nfrom keras import layers\n"
# a layer or model, the shape that it is given, the shape that it gives
SHAPES = {
    "layers.Dense(5)": ((2, 3), (2, 5)),
    "layers.Dense(units=5)": ((2, 4, 3), (2, 4, 5)),
    "layers.Conv1D(5, 3)": ((2, 9, 4), (2, 7, 5)),
    "layers.Conv1D(5, 3, 2)": ((2, 9, 4), (2, 4, 5)),
    "layers.Conv1D(5, 3, padding='causal')": ((2, 9, 4), (2, 9, 5)),
    "layers.Conv1D(5, 3, padding='causal', strides=2)": ((2, 9, 4), (2, 5, 5)),
    "layers.Conv1D(5, 3, dilation_rate=3)": ((2, 9, 4), (2, 3, 5)),
    "layers.Conv2D(5, 3, padding='same')": ((2, 9, 8, 3), (2, 9, 8, 5)),
    "layers.Conv2D(5, (3, 2), (2, 3))": ((2, 9, 8, 3), (2, 4, 3, 5)),
    "layers.Conv2D(5, (3, 2), strides=2, padding='same')": ((2, 9, 8, 3), (2, 5, 4, 5)),
    "layers.Conv2D(5, kernel_size=3, strides=2, padding='valid')": ((2, 9, 8, 3), (2, 4, 3, 5)),
    "layers.Conv3D(2, 2)": ((1, 4, 5, 6, 1), (1, 3, 4, 5, 2)),
    "layers.SeparableConv2D(5, 3)": ((2, 9, 8, 3), (2, 7, 6, 5)),
    "layers.DepthwiseConv2D(3)": ((2, 9, 8, 3), (2, 7, 6, 3)),
    "layers.DepthwiseConv2D(3, 2, 'same', 2)": ((2, 9, 8, 3), (2, 5, 4, 6)),
    "layers.Conv2DTranspose(5, 3)": ((2, 9, 8, 3), (2, 11, 10, 5)),
    "layers.Conv2DTranspose(5, 4, 2, 'same')": ((2, 9, 8, 3), (2, 18, 16, 5)),
    "layers.Conv2DTranspose(5, 2, strides=3)": ((2, 9, 8, 3), (2, 27, 24, 5)),
    "layers.Conv1DTranspose(5, 5, strides=2)": ((2, 9, 3), (2, 21, 5)),
    "layers.MaxPooling2D()": ((2, 9, 8, 3), (2, 4, 4, 3)),
    "layers.MaxPool2D(3, 2)": ((2, 9, 8, 3), (2, 4, 3, 3)),
    "layers.AveragePooling2D((2, 4), padding='same')": ((2, 9, 8, 3), (2, 5, 2, 3)),
    "layers.AveragePooling1D(3, strides=1)": ((2, 9, 3), (2, 7, 3)),
    "layers.GlobalAveragePooling2D()": ((2, 9, 8, 3), (2, 3)),
    "layers.GlobalMaxPooling1D()": ((2, 9, 3), (2, 3)),
    "layers.GlobalMaxPool2D(keepdims=True)": ((2, 9, 8, 3), (2, 1, 1, 3)),
    "layers.Flatten()": ((2, 4, 3), (2, 12)),
    "layers.Reshape((2, 6))": ((2, 4, 3), (2, 2, 6)),
    "layers.Reshape([-1, 6])": ((2, 4, 3), (2, 2, 6)),
    "layers.Reshape((-1,))": ((2, 4, 3), (2, 12)),
    "layers.RepeatVector(3)": ((2, 4), (2, 3, 4)),
    "layers.Permute((2, 1))": ((2, 4, 3), (2, 3, 4)),
    "layers.LSTM(5)": ((2, 4, 3), (2, 5)),
    "layers.GRU(5, return_sequences=True)": ((2, 4, 3), (2, 4, 5)),
    "layers.SimpleRNN(units=5, return_sequences=False)": ((2, 4, 3), (2, 5)),
    "layers.UpSampling2D()": ((2, 4, 5, 3), (2, 8, 10, 3)),
    "layers.UpSampling2D((1, 3))": ((2, 4, 5, 3), (2, 4, 15, 3)),
    "layers.UpSampling1D(3)": ((2, 4, 3), (2, 12, 3)),
    "layers.Dropout(0.5)": ((2, 4), (2, 4)),
    "layers.BatchNormalization()": ((2, 4), (2, 4)),
    "layers.Rescaling(0.5)": ((2, 4), (2, 4)),
    "keras.Sequential([layers.Conv2D(4, 3), layers.MaxPooling2D(), layers.Flatten(), layers.Dense(7)])": (
        (2, 8, 8, 1),
        (2, 7),
    ),
    "keras.Sequential([keras.Input([8, 1]), layers.Conv1D(4, 3), layers.Dense(7)])": ((2, 8, 1), (2, 6, 7)),
    "(lambda i: keras.Model(i, layers.Dense(7)(layers.Flatten()(i))))(keras.Input([4, 3]))": (
        (2, 4, 3),
        (2, 7),
    ),
}
MERGED = {
    "layers.Add()": ((2, 4), (2, 4)),
    "layers.Concatenate()": ((2, 4), (2, 8)),
    "layers.Concatenate(axis=0)": ((2, 4), (4, 4)),
    "layers.Concatenate(1)": ((2, 4, 3), (2, 8, 3)),
}
PROGRAMS = {
    **{f"{layer}(tf.ones({list(given)}))": result for layer, (given, result) in SHAPES.items()},
    **{
        f"{layer}([tf.ones({list(given)}), tf.ones({list(given)})])": result
        for layer, (given, result) in MERGED.items()
    },
    f"layers.Embedding(9, 5)(tf.zeros({[2, 3]}, tf.int32))": (2, 3, 5),
}
UNKNOWN = {
    "layers.Conv2D(5, 3, data_format='channels_first')(tf.ones([2, 3, 9, 8]))",
    "layers.Conv2D(5, 3, padding=read())(tf.ones([2, 9, 8, 3]))",
    "layers.LSTM(5, return_sequences=read())(tf.ones([2, 4, 3]))",
    "layers.Lambda(read())(tf.ones([2, 4, 3]))",
    "layers.Conv2D(4, 3)(tf.ones([2, 9, 8]))",
    "layers.GlobalMaxPooling1D()(tf.ones([2, 4]))",
    "layers.Concatenate(7)([tf.ones([2, 4]), tf.ones([2, 4])])",
    "layers.Concatenate(read())([tf.ones([2, 4]), tf.ones([2, 4])])",
    "layers.Concatenate()([tf.ones([2, 4]), read()])",
    "layers.Conv2DTranspose(5, 4, 2, output_padding=1)(tf.ones([2, 9, 8, 3]))",
}


@pytest.mark.parametrize(("program", "shape"), PROGRAMS.items(), ids=PROGRAMS)
def test_the_shape_of_what_a_layer_gives(program: str, shape: tuple[int, ...]) -> None:
    assert value_after(f"{HEAD}result = {program}") == f"Tensor(float32, {shape})"


@pytest.mark.parametrize("program", sorted(UNKNOWN))
def test_nothing_is_said_of_what_is_unknown(program: str) -> None:
    value = value_after(f"{HEAD}from elsewhere import read\nresult = {program}")
    assert not any(f" {size}," in value or f" {size})" in value for size in (4, 6, 7, 8, 9, 18))


def test_an_open_size_stays_open_and_an_unknown_one_unknown() -> None:
    after = value_after(f"{HEAD}result = layers.Conv1D(5, 3)(keras.Input([None, 3]))")
    assert after == "KerasTensor(float32, (None, None, 5))"
    after = value_after(
        f"{HEAD}from elsewhere import n\nresult = layers.Conv1D(5, 3, padding='same')(tf.ones([2, n, 3]))"
    )
    assert after == "Tensor(float32, (2, AbstractNumber(int), 5))"


@pytest.mark.tensorflow
def test_keras_gives_these_shapes(tensorflow: TensorFlowServer) -> None:
    lines = [f"print(tuple(({program}).shape) == {shape})" for program, shape in PROGRAMS.items()]
    ran = tensorflow.run(HEAD + "\n".join(lines), observe=False)
    reported = dict(zip(PROGRAMS, ran.printed.splitlines(), strict=True))
    assert ran.error is None
    assert [program for program, same in reported.items() if same != "True"] == []
