"""Value learning from a replay memory of Python transitions."""
import random
from collections import deque, namedtuple

import tensorflow as tf

Transition = namedtuple("Transition", "state action reward next_state done")


class ReplayMemory:
    def __init__(self, capacity):
        self.items = deque(maxlen=capacity)

    def push(self, *fields):
        self.items.append(Transition(*fields))

    def sample(self, n):
        return Transition(*zip(*random.sample(self.items, n)))

    def __len__(self):
        return len(self.items)


class QLearner(tf.Module):
    def __init__(self, features, actions, gamma=0.9):
        super().__init__()
        self.q = tf.Variable(tf.zeros([features, actions]))
        self.gamma = gamma

    @tf.function
    def learn(self, batch):
        states = tf.stack(batch.state)
        future = tf.reduce_max(tf.stack(batch.next_state) @ self.q, axis=1)
        goal = tf.constant(batch.reward) + self.gamma * future * (1.0 - tf.constant(batch.done))
        with tf.GradientTape() as tape:
            value = tf.gather(states @ self.q, tf.constant(batch.action), batch_dims=1)
            loss = tf.reduce_mean(tf.square(goal - value))
        self.q.assign_sub(0.1 * tape.gradient(loss, self.q))
        return loss


def walk(memory, steps):
    state = tf.random.normal([4])
    for _ in range(steps):
        action = random.randrange(2)
        nxt = tf.random.normal([4])
        memory.push(state, action, round(random.gauss(0, 1), 3), nxt, float(random.random() < 0.1))
        state = nxt


def main():
    random.seed(23)
    tf.random.set_seed(23)
    memory = ReplayMemory(200)
    learner = QLearner(4, 2)
    walk(memory, 50)
    losses = []
    for _ in range(12):
        walk(memory, 5)
        losses.append(float(learner.learn(memory.sample(8))))
    print("losses", [round(v, 2) for v in losses])


if __name__ == "__main__":
    main()
