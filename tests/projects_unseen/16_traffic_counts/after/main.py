import argparse

from traffic.counts import hourly_counts
from traffic.model import CountModel
from traffic.modes import quiet


def main():
    parser = argparse.ArgumentParser(description="Vehicles per hour, with a noisy training signal")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--noise", type=float, default=0.5)
    args = parser.parse_args()

    x, y = hourly_counts(48)
    model = CountModel(noise=args.noise)
    for _ in range(args.steps):
        model.fit_step(x, y)
    noisy = model.loss(x, y)
    with quiet(model):
        first, second = model.loss(x, y), model.loss(x, y)
    print("noisy", round(noisy, 4), "quiet", round(first, 4), "repeatable", first == second)


if __name__ == "__main__":
    main()
