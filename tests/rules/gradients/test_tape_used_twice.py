"""GD507: what it names besides."""

from tests.checking import check


def test_the_place_where_the_tape_is_opened_is_named() -> None:
    program = """
        import tensorflow as tf
        v = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            loss = v * v
        tape.gradient(loss, v)
        tape.gradient(loss, v)
        """
    (finding,) = check(program, "GD507")
    assert [(each.line, each.message) for each in finding.related] == [(3, "the tape is opened here")]
