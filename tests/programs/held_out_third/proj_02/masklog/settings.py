"""Run settings shared by the modules of the package."""

VOCAB = 40
MASK_ID = 0
LENGTH = 16
BATCH = 32
EPOCHS = 6
LEARNING_RATE = 5e-3

# changes while training, see curriculum.py
live = {"mask_rate": 0.05, "epoch": 0}
