import argparse

from depots.customers import Customers
from depots.options import Options
from depots.planner import Planner


def main():
    parser = argparse.ArgumentParser(description="Where to put delivery depots")
    parser.add_argument("--depots", type=int, default=4)
    parser.add_argument("--steps", type=int, default=15)
    args = parser.parse_args()

    options = Options(depots=args.depots, steps=args.steps)
    planner = Planner(options)
    before = planner.sites.numpy().copy()
    cost = planner.optimise(Customers(120, seed=options.seed))
    print("cost", round(cost, 4), "moved", round(float(abs(planner.sites.numpy() - before).max()), 5))


if __name__ == "__main__":
    main()
