import keras

from .data import waves
from .loop import make_step
from .network import Network


def main(plan="feed-gate-feed"):
    keras.utils.set_random_seed(0)
    ds = waves()
    step = make_step(Network(plan, units=8))
    for epoch in range(4):
        losses = [float(step(x, y)) for x, y in ds]
        print("epoch %d loss %.4f" % (epoch, sum(losses) / len(losses)))


if __name__ == "__main__":
    main()
