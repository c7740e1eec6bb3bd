import keras
import tensorflow as tf

BATCH_SPEC = [
    tf.TensorSpec([None, None], tf.int32),
    tf.TensorSpec([None, None], tf.int32),
    tf.TensorSpec([None, None], tf.float32),
]


class Engine:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = keras.optimizers.Adam(lr)
        self.optimizer.build(model.trainable_variables)

    @tf.function(input_signature=BATCH_SPEC, jit_compile=True)
    def step(self, tokens, tags, mask):
        variables = self.model.trainable_variables
        with tf.GradientTape() as tape:
            logits = self.model(tokens, training=True)
            nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=tags, logits=logits)
            loss = tf.reduce_sum(nll * mask) / tf.reduce_sum(mask)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss
