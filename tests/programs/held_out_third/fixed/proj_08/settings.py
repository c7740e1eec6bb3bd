"""All knobs in one place; scripts override single entries from the command line."""
DEFAULTS = {
    "vocab": 50,
    "tags": 4,
    "dim": 24,
    "max_len": 14,
    "batch": 32,
    "epochs": 2,
    "lr": 2e-2,
    "clip": 1.0,
    "xla": True,
    "seed": 1,
}


def parse_overrides(pairs):
    """['lr=0.01', 'xla=0'] -> settings dict"""
    cfg = dict(DEFAULTS)
    for pair in pairs:
        key, _, raw = pair.partition("=")
        if key not in cfg:
            raise SystemExit(f"unknown setting {key!r}")
        kind = type(cfg[key])
        cfg[key] = bool(int(raw)) if kind is bool else kind(raw)
    return cfg
