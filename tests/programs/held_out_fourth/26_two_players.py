"""A one-dimensional GAN."""
import keras
import tensorflow as tf

NOISE = 4


def mlp(n_in, n_out, name):
    return keras.Sequential([
        keras.Input((n_in,)),
        keras.layers.Dense(16, activation="relu"),
        keras.layers.Dense(n_out),
    ], name=name)


class Player:
    """A network with its optimizer."""

    def __init__(self, net, lr):
        self.net = net
        self.opt = keras.optimizers.Adam(lr, beta_1=0.5)
        self.opt.build(net.trainable_variables)

    def __call__(self, x):
        return self.net(x, training=True)

    def learn(self, tape, loss):
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))


bce = keras.losses.BinaryCrossentropy(from_logits=True)


def critic_loss(real, fake):
    return bce(tf.ones_like(real), real) + bce(tf.zeros_like(fake), fake)


def forger_loss(fake):
    return bce(tf.ones_like(fake), fake)


class Game:
    def __init__(self):
        self.forger = Player(mlp(NOISE, 1, "forger"), 1e-3)
        self.critic = Player(mlp(1, 1, "critic"), 1e-3)

    def play(self, real):
        noise = tf.random.normal([tf.shape(real)[0], NOISE])
        fake = self.forger(noise)
        return self.critic(real), self.critic(fake)

    @tf.function
    def turn(self, real):
        with tf.GradientTape() as tape:
            on_real, on_fake = self.play(real)
            losses = {"critic": critic_loss(on_real, on_fake), "forger": forger_loss(on_fake)}
        for who, loss in losses.items():
            getattr(self, who).learn(tape, loss)
        return losses


def main():
    keras.utils.set_random_seed(0)
    data = tf.random.normal([256, 1], mean=3.0, stddev=0.5)
    ds = tf.data.Dataset.from_tensor_slices(data).shuffle(256).batch(32)
    game = Game()
    for epoch in range(3):
        for real in ds:
            losses = game.turn(real)
        print("epoch", epoch, {k: round(float(v), 3) for k, v in losses.items()})


if __name__ == "__main__":
    main()
