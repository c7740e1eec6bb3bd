import keras
import numpy as np

from config import Config
from data import images
from model import build, compile_model
from stages import plan


def main():
    cfg = Config()
    keras.utils.set_random_seed(cfg.seed)
    x, y = images(cfg)
    model = build(cfg)
    compile_model(model, cfg.lr)
    backbone = model.get_layer("backbone")
    start = [w.copy() for w in backbone.get_weights()]
    for stage in plan(cfg):
        stage.enter(model, cfg)
        hist = model.fit(x, y, batch_size=32, epochs=stage.epochs, verbose=0).history
        moved = max(np.abs(a - b).max() for a, b in zip(start, backbone.get_weights()))
        print(f"{stage.title}: loss {hist['loss'][-1]:.3f} accuracy {hist['accuracy'][-1]:.3f} "
              f"backbone moved {moved:.4f}")


if __name__ == "__main__":
    main()
