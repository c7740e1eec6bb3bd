from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class Params:
    latent: int = 2
    hidden: int = 16
    epochs: int = 5
    beta: tf.Variable = field(default_factory=lambda: tf.Variable(0.0, trainable=False))
    beta_max: float = 4.0
    lr: float = 0.01


HP = Params()
