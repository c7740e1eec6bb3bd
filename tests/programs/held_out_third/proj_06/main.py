import keras

from celldet import config, data
from celldet.losses import detection_loss
from celldet.train import Trainer


def main():
    cfg = config.from_command_line()
    keras.utils.set_random_seed(cfg.seed)
    trainer = Trainer(cfg)
    for image, obj, box in data.stream(cfg).take(1):
        before = detection_loss(trainer.net(image), obj, box, cfg.box_weight)
        print(f"loss before training {float(before):.4f}")
    trainer.fit(data.stream(cfg))


if __name__ == "__main__":
    main()
