import argparse

import numpy as np

from soil.nets import DepthNet
from soil.plots import load_plots
from soil.training import Training


def main():
    parser = argparse.ArgumentParser(description="Soil moisture at three depths from radar")
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--units", type=int, default=12)
    args = parser.parse_args()

    radar, moisture = load_plots(64)
    training = Training(DepthNet(args.units, depths=moisture.shape[1]))
    losses = [training.epoch(radar, moisture) for _ in range(args.epochs)]
    print("epochs", len(losses), "first", round(losses[0], 5), "last", round(losses[-1], 5))
    print("improved", bool(np.diff(losses).any()))


if __name__ == "__main__":
    main()
