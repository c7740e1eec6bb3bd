EPOCHS = 4
BATCH = 24
WIDTH = 16
LR = 2e-3
SEED = 0

# first epoch of the phase, weight of each loss term
PHASES = [
    (0, {"value": 1.0, "slope": 0.0}),
    (2, {"value": 1.0, "slope": 0.3}),
]
