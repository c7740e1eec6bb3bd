"""GD212, from the source: must not fire, must fire."""

from tests.checking import check

RULE = "GD212"
LOSS = """
import tensorflow as tf
class Dice(tf.keras.losses.Loss):
    def __init__(self):
        super().__init__()
        self.loss = 0
    @tf.function
    def call(self, y_true, y_pred):
        self.loss = tf.reduce_sum(y_true * y_pred)
        return self.loss
    def get_config(self):
        return {"loss": self.loss}
dice = Dice()
dice(tf.ones([2]), tf.ones([2]))
"""


def test_what_only_the_configuration_reads_is_left_alone() -> None:
    assert check(LOSS, RULE) == []


def test_what_another_method_reads_is_reported() -> None:
    assert len(check(LOSS.replace("get_config(self)", "report(self)"), RULE)) == 1


def test_what_its_reader_sets_again_is_left_alone() -> None:
    own = LOSS.replace("get_config(self):", "report(self, x):\n        self.loss = x + 1")
    assert check(own, RULE) == []
