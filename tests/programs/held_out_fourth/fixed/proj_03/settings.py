MARGIN = 0.5
DIM = 8
STEPS = 30
BATCH = 16
LOSS = "triplet"
