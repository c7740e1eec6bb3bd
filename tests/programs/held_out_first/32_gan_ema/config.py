SETTINGS = {
    "noise": 4,
    "width": 16,
    "batch": 32,
    "steps": 12,
    "rate": 2e-3,
    "ema": 0.9,
}
