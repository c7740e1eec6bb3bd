import argparse

from picker.settings import Settings
from picker.station import Station
from picker.trainer import PickTrainer


def main(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--batches", type=int, default=30)
    parser.add_argument("--batch-size", type=int, default=8)
    args = parser.parse_args(argv)

    settings = Settings(batches=args.batches, batch_size=args.batch_size)
    station = Station(settings.samples, noise=settings.noise, seed=settings.seed)
    trainer = PickTrainer(settings)
    mean = trainer.train(station)
    print("batches", settings.batches, "mean loss", round(mean, 4))


if __name__ == "__main__":
    main()
