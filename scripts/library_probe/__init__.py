"""Runs the public functions of TensorFlow, Keras and NumPy, and states what they did as rules."""
