import tensorflow as tf


def fit_hyperparameters(gp, x, y, steps=30, lr=0.05, verbose=10):
    """Type-II maximum likelihood with Adam."""
    variables = list(gp.trainable_variables)
    opt = tf.keras.optimizers.Adam(lr)
    opt.build(variables)

    @tf.function
    def step():
        with tf.GradientTape() as tape:
            loss = gp.nll(x, y)
        grads = tape.gradient(loss, variables)
        opt.apply_gradients(zip(grads, variables))
        return loss

    for i in range(steps):
        loss = step()
        if verbose and i % verbose == 0:
            print(f"step {i:3d} nll {float(loss):.4f}")
    return gp
