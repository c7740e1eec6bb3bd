"""Values that several modules share."""
TEMPERATURE = 4.0
ALPHA = 0.7
EPOCHS = 4
BATCH = 32
