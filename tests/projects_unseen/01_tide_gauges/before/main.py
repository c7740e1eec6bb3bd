import argparse

from tides.config import FitConfig
from tides.fitting import HarmonicFitter
from tides.gauges import load_gauges


def parse_args():
    parser = argparse.ArgumentParser(description="Fit tidal constituents to gauge readings")
    parser.add_argument("--steps", type=int, default=24)
    parser.add_argument("--gauges", type=int, default=5)
    parser.add_argument("--smooth", type=float, default=0.5)
    return parser.parse_args()


def main():
    args = parse_args()
    config = FitConfig(steps=args.steps, smoothness=args.smooth)
    gauges = load_gauges(args.gauges, config.hours, seed=config.seed)
    fitter = HarmonicFitter(config, n_gauges=args.gauges)
    history = fitter.run(gauges)
    print(f"steps {len(history)} first {history[0]:.4f} last {history[-1]:.4f}")


if __name__ == "__main__":
    main()
