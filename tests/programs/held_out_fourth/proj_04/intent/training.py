import tensorflow as tf

EXAMPLES = [("play music please", 0), ("stop music", 0), ("light on", 1), ("lamp off please", 1)]


def fit(model, steps=60, lr=0.5):
    texts = tf.constant([t for t, _ in EXAMPLES])
    labels = tf.constant([y for _, y in EXAMPLES])

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=labels, logits=model.logits(texts)))
        variables = model.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(lr * tf.convert_to_tensor(g))
        return loss

    for _ in range(steps):
        loss = step()
    return float(loss)
