import argparse

import keras

from reservoir.inflow import seasons
from reservoir.model import ReservoirModel


def main():
    parser = argparse.ArgumentParser(description="Learn the release rule of a reservoir")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--capacity", type=float, default=3.0)
    args = parser.parse_args()

    inflow, level = seasons(32, days=30)
    model = ReservoirModel(args.capacity)
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse")
    history = model.fit(inflow, level, epochs=args.epochs, batch_size=8, verbose=0)
    print("epochs", len(history.history["loss"]))


if __name__ == "__main__":
    main()
