"""python main.py [--epochs N]"""
import argparse

import keras

from config import TrainConfig
from data import ring
from trainers import GANTrainer


def coverage(points, modes=8, radius=1.5):
    """Number of modes with at least one sample close by."""
    import numpy as np

    angle = 2 * np.pi * np.arange(modes) / modes
    centers = radius * np.stack([np.cos(angle), np.sin(angle)], -1)
    dist = np.linalg.norm(points[:, None] - centers[None], axis=-1)
    return int((dist.min(axis=0) < 0.4).sum())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=TrainConfig.epochs)
    cfg = TrainConfig(epochs=parser.parse_args().epochs)
    keras.utils.set_random_seed(cfg.seed)
    trainer = GANTrainer(cfg)
    trainer.fit(ring(cfg.batch, seed=cfg.seed))
    print("modes covered:", coverage(trainer.sample(256)))


if __name__ == "__main__":
    main()
