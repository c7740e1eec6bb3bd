import argparse
from types import SimpleNamespace


def default():
    return SimpleNamespace(
        size=32, stride=8, max_cells=3, batch=8, steps=24, lr=5e-3, box_weight=2.0, seed=0)


def from_command_line():
    cfg = default()
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=cfg.steps)
    ap.add_argument("--box-weight", type=float, default=cfg.box_weight)
    for k, v in vars(ap.parse_args()).items():
        setattr(cfg, k, v)
    return cfg
