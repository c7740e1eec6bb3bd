import argparse

import keras

from sky.augment import RandomBackground
from sky.catalogue import patches
from sky.net import build


def main():
    parser = argparse.ArgumentParser(description="Galaxy or star, from small patches")
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--level", type=float, default=0.5)
    args = parser.parse_args()

    x, y = patches(64, side=12)
    model = build(12, RandomBackground(args.level))
    model.compile(optimizer="adam", loss=keras.losses.BinaryCrossentropy(from_logits=True))
    history = model.fit(x, y, epochs=args.epochs, batch_size=16, verbose=0)
    print("epochs", len(history.history["loss"]), "loss", round(history.history["loss"][-1], 4))


if __name__ == "__main__":
    main()
