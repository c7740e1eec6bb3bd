import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()


def make_step(model, optimizer, loss_object):
    def replica_step(batch):
        inputs, labels = batch
        with tf.GradientTape() as tape:
            predictions = model(inputs, training=True)
            loss = tf.reduce_mean(loss_object(labels, predictions))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss.numpy()  # <- GD801

    @tf.function
    def distributed_step(iterator):
        return strategy.run(replica_step, args=(next(iterator),))

    return distributed_step
