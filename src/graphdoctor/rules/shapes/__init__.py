"""Sizes and ranks that a graph does not know."""
