"""Gradients that are None, wrong, or not what was asked for."""
