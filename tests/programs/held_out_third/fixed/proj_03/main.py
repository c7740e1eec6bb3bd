"""k-fold estimate of the error of the soil-carbon regressor."""
import argparse

import numpy as np
import tensorflow as tf

from soilcv import CVConfig
from soilcv.data import fold_indices, spectra
from soilcv.train import fit_fold, rmse


def parse():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--folds", type=int, default=4)
    ap.add_argument("--epochs", type=int, default=4)
    return ap.parse_args()


def main():
    args = parse()
    cfg = CVConfig(folds=args.folds, epochs=args.epochs)
    tf.keras.utils.set_random_seed(cfg.seed)
    x, y = spectra(cfg)
    scores = []
    for k, (train, test) in enumerate(fold_indices(cfg)):
        net = fit_fold(cfg, x[train], y[train])
        scores.append(rmse(net, x[test], y[test]))
        print(f"fold {k}: rmse {scores[-1]:.3f}")
    print(f"mean {np.mean(scores):.3f} +- {np.std(scores):.3f}")


if __name__ == "__main__":
    main()
