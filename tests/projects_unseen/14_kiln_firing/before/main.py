import argparse

from kiln.firing import Firings
from kiln.regressor import ShrinkageRegressor
from kiln.settings import KilnSettings


def main():
    parser = argparse.ArgumentParser(description="Shrinkage of clay from the firing curve")
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--clip", type=float, default=5.0)
    args = parser.parse_args()

    settings = KilnSettings(steps=args.steps, clip=args.clip)
    firings = Firings(settings.seed)
    regressor = ShrinkageRegressor(settings)
    for step in range(settings.steps):
        loss = regressor.update(*firings.batch(12))
    print("steps", settings.steps, "loss", round(loss, 4), "clip", round(regressor.clip, 4))


if __name__ == "__main__":
    main()
