"""Compares what the dry run believes of each expression of a program with what it gives under TensorFlow."""
