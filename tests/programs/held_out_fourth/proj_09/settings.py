QUANTILES = (0.1, 0.5, 0.9)
SETTINGS = {
    "loss": "pinball",
    "lr": 0.02,
    "epochs": 4,
    "batch": 32,
    "hidden": 16,
}
