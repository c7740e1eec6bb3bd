"""The sampler: one graph, reproducible, never endless, never NaN; the command around it."""

import json

import keras
import numpy as np
import pytest
import tensorflow as tf
from click.testing import CliRunner

from workloads.handwriting.command import main
from workloads.handwriting.config import ARCHITECTURES, ModelConfig
from workloads.handwriting.drawing import attention_image, make_page, to_image, to_svg
from workloads.handwriting.hershey import STYLES, write_line
from workloads.handwriting.loss import Mixture
from workloads.handwriting.model import Handwriting
from workloads.handwriting.sample import biased, draw_point
from workloads.handwriting.writer import Writer, WriterError, style_primer, wrap

pytestmark = [pytest.mark.tensorflow, pytest.mark.long]


def make_writer(architecture="graves", pace=4.0):
    keras.utils.set_random_seed(3)
    config = ModelConfig(
        architecture, hidden=6, layers=2, mixtures=2, components=2, points_per_character=pace
    )
    return Writer(Handwriting(config), scale=5.0, styles=list(STYLES))


@pytest.fixture(scope="module")
def writer():
    return make_writer()


def all_points(written):
    return [np.concatenate(line.strokes) for line in written]


def test_a_batch_is_one_graph_and_stops_for_every_text(writer):
    written = writer.write(["a", "some words", "x?"], bias=0.5)
    limit = 3 * 4.0 * 11 + 51
    assert [line.text for line in written] == ["a", "some words", "x?"]
    assert all(0 < len(points) <= limit for points in all_points(written))
    writer.write(["another length of text"])
    assert writer.sampler.__call__.experimental_get_tracing_count() == 1


def test_same_seed_same_line_other_seed_other_line(writer):
    lines = [all_points(writer.write(["hello"], seed=seed))[0] for seed in (4, 4, 5)]
    np.testing.assert_array_equal(lines[0], lines[1])
    assert lines[0].shape != lines[2].shape or (lines[0] != lines[2]).any()


def test_a_text_is_written_the_same_alone_and_before_others(writer):
    alone = all_points(writer.write(["hello"]))[0]
    beside = all_points(writer.write(["hello", "a longer companion"]))[0]
    np.testing.assert_allclose(beside, alone, atol=1e-3)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_graph_draws_what_eager_code_draws(architecture):
    writer = make_writer(architecture, pace=3.0)
    primer = write_line(".", "plain", np.random.default_rng(0))
    graph = all_points(writer.write(["if"], primer=primer))[0]
    tf.config.run_functions_eagerly(True)
    try:
        eager = all_points(writer.write(["if"], primer=primer))[0]
    finally:
        tf.config.run_functions_eagerly(False)
    np.testing.assert_allclose(graph, eager, atol=1e-2)


def test_a_window_that_never_moves_ends_at_the_limit():
    written = make_writer(pace=1e4)  # the limit follows the pace, so force one that stands still
    written.model.first.window_bias.assign(np.full(6, -12.0, np.float32))
    samples = written.sampler(
        tf.constant([[5, 6, 1]]),
        tf.constant([[[0.0, 0.0, 1.0]]]),
        tf.constant([1]),
        tf.constant(0.0),
        tf.constant([0, 0]),
        tf.constant(40),
    )
    assert not bool(samples.finished[0])
    assert int(samples.length[0]) == 39


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf, 1e30])
def test_broken_weights_still_give_finite_points(value):
    writer = make_writer()
    writer.model.output_layer.bias.assign(np.full(13, value, np.float32))
    assert np.isfinite(all_points(writer.write(["ab"]))[0]).all()


def test_primer_is_not_part_of_the_line():
    writer = make_writer(pace=12.0)
    line = writer.write(["hi"], primer=write_line("quick", "plain", np.random.default_rng(0)))[0]
    assert line.weight.shape[1] == len("hi") + 1
    assert np.concatenate(line.strokes)[:, 0].min() == pytest.approx(0)


def test_drawn_points_follow_the_mixture():
    count = 4000
    parts = [np.tile(row, (count, 1)) for row in ([np.log(0.25), np.log(0.75)], [-9.0, 9.0])]
    flat = np.zeros((count, 2))
    mixture = Mixture(
        *(
            tf.constant(part, tf.float32)
            for part in (
                np.full(count, np.log(3)),
                *parts,
                flat,
                flat,
                flat + np.log(2),
                flat + 0.8,
            )
        )
    )
    uniform = tf.random.stateless_uniform([count, 2], [1, 2])
    normal = tf.random.stateless_normal([count, 2], [3, 4])
    points = draw_point(mixture, uniform, normal).numpy()
    right = points[points[:, 0] > 0]
    assert len(right) / count == pytest.approx(0.75, abs=0.03)
    assert points[:, 2].mean() == pytest.approx(0.75, abs=0.03)
    assert right.std(axis=0)[:2] == pytest.approx([1.0, 2.0], abs=0.1)
    assert np.corrcoef(right[:, 0], right[:, 1])[0, 1] == pytest.approx(0.8, abs=0.03)
    neat = draw_point(biased(mixture, 3.0), uniform, normal).numpy()
    assert neat[neat[:, 0] > 0].std(axis=0)[0] == pytest.approx(np.exp(-3), abs=0.01)
    assert (neat[:, 0] > 0).mean() > 0.97


def test_wrapping_keeps_line_breaks_and_breaks_long_words():
    assert wrap("one two three\n\nfour", 8) == ["one two", "three", "", "four"]
    assert wrap("abcdefgh", 3) == ["abc", "def", "gh"]


def test_pictures_show_ink(writer):
    line = writer.write(["hello"])[0]
    page = make_page([line, line])
    assert to_svg(page).count("<path") == 2 * len(line.strokes)
    assert (np.asarray(to_image(page)) < 128).any()
    assert (np.asarray(attention_image(line)) < 128).any()


def run_command(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def test_command_writes_readable_files(tmp_path):
    drawing, strokes, page, attention = (tmp_path / name for name in ("a.svg", "a.json", "b.png", "att.png"))
    result = run_command("hello", "-o", drawing, "--attention", attention)
    assert (result.exit_code, result.output) == (0, f"{drawing}\n{attention}\n")
    assert "<path" in drawing.read_text()
    assert run_command("Hi", "-o", strokes, "--style", "script").exit_code == 0
    assert json.loads(strokes.read_text())["lines"][0]["text"] == "Hi"
    own = run_command("one", "two lines\nhere", "-o", page, "--style", strokes)
    assert own.output == f"{tmp_path / 'b-1.png'}\n{tmp_path / 'b-2.png'}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hi", "-o", "out.gif"], "out.gif: expected a name that ends in .svg, .png or .json"),
        (["hi", "-o", "nowhere/a.svg"], "nowhere/a.svg: there is no folder nowhere: make it first"),
        (["hi", "--attention", "a.gif"], "a.gif: expected a name that ends in .png"),
        (
            ["hi", "--style", "gothic"],
            "style 'gothic' is neither a file nor one of any, plain, slanted, script",
        ),
        (["hi", "--style", "none.json"], "none.json: no such file"),
        (["  "], "expected a text with a visible character, got none"),
        (
            ["héllo"],
            "expected printable ASCII, found 'é' at position 1 of 'héllo': replace it",
        ),
    ],
)
def test_bad_input_is_one_line(arguments, message):
    result = run_command(*arguments)
    assert (result.exit_code, result.output) == (1, f"Error: {message}\n")


def test_weights_write_only_in_styles_that_they_have_learnt(writer):
    assert Writer(writer.model, writer.scale).default_primer() is None
    taught = Writer(writer.model, writer.scale, ["script"])
    assert taught.default_primer().style == "script"
    with pytest.raises(WriterError) as error:
        taught.write(["hi"], primer=style_primer("plain"))
    assert str(error.value) == (
        "these weights never saw the style 'plain': choose script, any or strokes of your own"
    )


def test_folder_without_weights_says_what_to_do(tmp_path):
    with pytest.raises(WriterError) as error:
        Writer.load(tmp_path)
    assert str(error.value) == (
        f"no weights at {tmp_path / 'best.weights.h5'}: train a model into that folder"
    )
