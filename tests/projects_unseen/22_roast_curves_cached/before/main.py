import argparse

from roast.beans import make_batches
from roast.plan import RoastPlan
from roast.learn import CurveLearner


def main():
    parser = argparse.ArgumentParser(description="Learn bean temperature from drum temperature")
    parser.add_argument("--roasts", type=int, default=20)
    parser.add_argument("--charge", type=float, default=190.0)
    args = parser.parse_args()

    plan = RoastPlan(args.roasts, charge=args.charge)
    learner = CurveLearner(width=16)
    losses = []
    for profile, batch in zip(plan.profiles(), make_batches(args.roasts, seed=2)):
        losses.append(learner.learn(profile, batch))
    print("roasts", len(losses), "loss", round(losses[-1], 4))


if __name__ == "__main__":
    main()
