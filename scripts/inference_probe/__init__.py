"""Compares what the dry run infers for each expression of a program with what it gives under TensorFlow."""
