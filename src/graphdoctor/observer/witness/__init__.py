"""What a program computed, written down by value, so that two runs of it can be compared."""
