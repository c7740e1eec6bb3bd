import time

import tensorflow as tf

from reactor.settings import SimSettings
from reactor.simulate import Simulator


def main():
    sim = Simulator(SimSettings())
    for lo, hi in ((0.5, 1.0), (1.0, 2.0)):
        t0 = time.perf_counter()
        c, temp = sim.final_state(tf.linspace(lo, hi, 16))
        print(f"feed {lo}-{hi}: c={float(c[0]):.4f} T={float(temp[-1]):.4f} ({time.perf_counter() - t0:.2f} s)")


if __name__ == "__main__":
    main()
