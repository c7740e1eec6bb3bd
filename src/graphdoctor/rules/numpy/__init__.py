"""Tensors of a graph where a value is needed."""
