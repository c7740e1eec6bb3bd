import keras
import numpy as np

from fedkb.config import FedConfig
from fedkb.data import phone_names
from fedkb.train import FederatedTrainer


def main():
    keras.utils.set_random_seed(0)
    cfg = FedConfig()
    trainer = FederatedTrainer(cfg, phone_names(cfg))
    rng = np.random.default_rng(1)
    for r in range(cfg.rounds):
        print(f"round {r}: loss {trainer.run_round(rng):.4f}")


if __name__ == "__main__":
    main()
