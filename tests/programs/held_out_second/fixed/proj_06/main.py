import tensorflow as tf

from bandit import Learner
from monitor import Monitor
from policy import Policy


def main():
    tf.random.set_seed(0)
    monitor = Monitor()
    learner = Learner(Policy(4), [0.1, 0.5, 0.9, 0.2], monitor)
    total = sum(float(learner.play()) for _ in range(40))
    print("reward %.2f" % total)
    print(monitor.export())


if __name__ == "__main__":
    main()
