"""Two models that train against each other, in a class with decorated methods and Python counters."""
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)


class Trainer:
    def __init__(self, latent=2, penalty=0.1):
        self.latent, self.penalty = latent, penalty
        self.generator = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(3)])
        self.critic = keras.Sequential([keras.layers.Dense(4), keras.layers.Dense(1)])
        self.generator.build([None, latent])
        self.critic.build([None, 3])
        self.optimizers = keras.optimizers.SGD(0.01), keras.optimizers.SGD(0.01)
        self.optimizers[0].build(self.generator.trainable_variables)
        self.optimizers[1].build(self.critic.trainable_variables)
        self.steps, self.log, self.state = 0, [], {"best": None}

    @tf.function
    def critic_step(self, real):
        noise = tf.random.normal([tf.shape(real)[0], self.latent])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.critic(self.generator(noise))) - tf.reduce_mean(self.critic(real))
            loss += self.penalty * tf.add_n([tf.reduce_sum(w**2) for w in self.critic.trainable_variables])
        self.apply(1, self.critic, tape, loss)
        return loss

    @tf.function
    def generator_step(self, count):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.critic(self.generator(tf.random.normal([count, self.latent]))))
        self.apply(0, self.generator, tape, loss)
        return loss

    def apply(self, index, model, tape, loss):
        variables = model.trainable_variables
        self.optimizers[index].apply(tape.gradient(loss, variables), variables)

    def train(self, batches):
        for batch in batches:
            self.log.append((float(self.critic_step(batch)), float(self.generator_step(8))))
            self.steps += 1
            self.state["best"] = min(self.log)


trainer = Trainer()
for _ in range(2):
    trainer.train([tf.random.normal([8, 3]) for _ in range(4)])
print(trainer.steps, len(trainer.log))
