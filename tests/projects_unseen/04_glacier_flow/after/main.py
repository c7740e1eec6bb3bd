import argparse

from glacier.scenes import image_pairs
from glacier.schedule import Stage, stages
from glacier.tracker import FlowTracker


def main():
    parser = argparse.ArgumentParser(description="Track ice displacement between image pairs")
    parser.add_argument("--rounds", type=int, default=18)
    parser.add_argument("--side", type=int, default=16)
    args = parser.parse_args()

    tracker = FlowTracker(args.side)
    first = Stage(smooth=1.0, huber=0.5)
    errors = []
    for stage in stages(first, args.rounds):
        errors.append(tracker.refine(stage, *image_pairs(args.side, stage.round)))
    print("rounds", len(errors), "error", round(errors[-1], 4))


if __name__ == "__main__":
    main()
