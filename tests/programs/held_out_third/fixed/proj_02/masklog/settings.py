"""Run settings shared by the modules of the package."""
import tensorflow as tf

VOCAB = 40
MASK_ID = 0
LENGTH = 16
BATCH = 32
EPOCHS = 6
LEARNING_RATE = 5e-3

# changes while training, see curriculum.py
live = {"mask_rate": tf.Variable(0.05, trainable=False), "epoch": 0}
